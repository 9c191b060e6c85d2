import type { JsonObject, JsonValue } from "@hasp/schema";
import { HTTP_STYLES } from "../../../../compiler/src/spec/handlers/definitions.js";
import { objectOf } from "../source/json-values.js";

export const PLACES = ["path", "query", "header", "cookie"] as const;
export type Place = (typeof PLACES)[number];

/** Default styles (OpenAPI 3.0.3, Parameter Object). */
const DEFAULT_STYLES: { readonly [place in Place]: string } = {
  path: "simple",
  query: "form",
  header: "simple",
  cookie: "form",
};

export function isKnownStyle({ style }: JsonObject): boolean {
  return style === undefined || HTTP_STYLES.some((known) => known === style);
}

/**
 * Returns a value's serialization where it differs from the default of its place; reads a Parameter Object, or an
 * Encoding Object, whose place is the query.
 */
export function serializationOf(value: JsonObject, place: Place): JsonObject | undefined {
  const style = typeof value["style"] === "string" ? value["style"] : DEFAULT_STYLES[place];
  // "The default value is true" for form alone. Only the exploded form of deepObject has a meaning.
  const usual = style === "form" || style === "deepObject" || style === "cookie";
  const explode = style === "deepObject" || (typeof value["explode"] === "boolean" ? value["explode"] : usual);
  const isUsual = style === DEFAULT_STYLES[place] && explode === (style === "form");
  const allowReserved = value["allowReserved"] === true && place !== "header" ? true : undefined;
  if (isUsual && allowReserved === undefined) return undefined;
  return objectOf([
    ["style", style],
    ["explode", explode],
    ["allowReserved", allowReserved],
  ] satisfies readonly (readonly [string, JsonValue | undefined])[]);
}
