import type { JsonObject, JsonValue } from "@hasp/schema";
import type { Location } from "../../diagnostics/diagnostic.js";
import { isList, isObject } from "../../model/json-kind.js";
import type { MakeImportDiagnostic } from "../source/diagnostics.js";

/**
 * The input schema of a tool with the word that every provider takes for granted: arguments are an object. A root that
 * has no `type` is given it, since no other value can arrive; one that allows no object is no input of a tool.
 */
export function withObjectRoot(
  schema: JsonValue,
  {
    tool,
    note,
    locate,
  }: { readonly tool: string; readonly note: MakeImportDiagnostic; readonly locate: () => Location },
): JsonValue {
  if (!isObject(schema)) {
    if (schema === false) note("input-not-object", locate(), { tool });
    return schema === true ? { type: "object" } : schema;
  }
  const { type } = schema;
  if (type === "object") return schema;
  if (type !== undefined && !(isList(type) && type.includes("object"))) {
    note("input-not-object", locate(), { tool });
    return schema;
  }
  note("root-object", locate(), undefined);
  const { $schema, ...rest } = schema;
  // In draft-07 nothing beside a `$ref` counts.
  if ($schema !== undefined && rest["$ref"] !== undefined) {
    return { $schema, type: "object", ...definitionsOf(rest), allOf: [withoutDefinitions(rest)] };
  }
  return {
    ...($schema === undefined ? {} : { $schema }),
    ...first(rest, ["$id", "$ref", "title"]),
    ...rest,
    type: "object",
  };
}

const DEFINITIONS = ["$defs", "definitions"];
const definitionsOf = (schema: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(schema).filter(([key]) => DEFINITIONS.includes(key)));
const withoutDefinitions = (schema: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(schema).filter(([key]) => !DEFINITIONS.includes(key)));

/** The words that come before `type`, which is then the next one whatever stood behind them. */
function first(schema: JsonObject, words: readonly string[]): JsonObject {
  return { ...Object.fromEntries(Object.entries(schema).filter(([key]) => words.includes(key))), type: "object" };
}
