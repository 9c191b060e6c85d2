import type { JsonObject, JsonValue } from "@hasp/schema";
import type { Location } from "../../../../compiler/src/diagnostics/diagnostic.js";
import { isList, isObject } from "../../../../compiler/src/model/json-kind.js";
import type { MakeImportDiagnostic } from "../source/diagnostics.js";

/** Adds the object type that every provider assumes to an input's root; refuses a root that allows no object. */
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
  // Draft-07 ignores the siblings of a `$ref`.
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

/** Puts these keywords first. */
function first(schema: JsonObject, words: readonly string[]): JsonObject {
  return { ...Object.fromEntries(Object.entries(schema).filter(([key]) => words.includes(key))), type: "object" };
}
