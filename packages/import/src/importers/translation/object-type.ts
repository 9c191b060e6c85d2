import type { JsonObject, JsonValue } from "@hasp/schema";
import type { Location } from "@hasp/base/diagnostics";
import { pickMembers, dropUndefined, isList, isObject } from "@hasp/base/json";
import type { MakeImportDiagnostic } from "../source/diagnostics.js";
import { isAnnotation, isKeyword, keywordRow } from "@hasp/schema/vocabulary";

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
    ...dropUndefined({ $schema }),
    ...first(rest, ["$id", "$ref", "title"]),
    ...rest,
    type: "object",
  };
}

const DEFINITIONS = ["$defs", "definitions"];
const definitionsOf = (schema: JsonObject): JsonObject => pickMembers(schema, (key) => DEFINITIONS.includes(key));
const withoutDefinitions = (schema: JsonObject): JsonObject => pickMembers(schema, (key) => !DEFINITIONS.includes(key));

function first(schema: JsonObject, words: readonly string[]): JsonObject {
  return { ...pickMembers(schema, (key) => words.includes(key)), type: "object" };
}

/**
 * True if a schema means objects but lacks `type: object`: it lists properties, or all of its alternatives do. JSON
 * Schema lets it accept any text or list too.
 */
export function lacksObjectType(schema: JsonValue): boolean {
  return (
    concernsObjectsOnly(schema) &&
    isObjectBy(schema, ({ type, properties }) => type === "object" || isObject(properties)) &&
    !isObjectBy(schema, ({ type }) => type === "object")
  );
}

function isObjectBy(schema: JsonValue, test: (schema: JsonObject) => boolean): boolean {
  if (!isObject(schema)) return false;
  const { anyOf, oneOf, allOf } = schema;
  return (
    test(schema) ||
    (isList(allOf) && allOf.some((part) => isObjectBy(part, test))) ||
    [anyOf, oneOf].some(
      (branches) => isList(branches) && branches.length > 0 && branches.every((branch) => isObjectBy(branch, test)),
    )
  );
}

function concernsObjectsOnly(schema: JsonValue): boolean {
  return (
    isObject(schema) &&
    Object.entries(schema).every(([keyword, operand]) => {
      if (keyword === "type") return operand === "object";
      if (keyword === "nullable") return operand === false;
      if (keyword === "anyOf" || keyword === "oneOf" || keyword === "allOf") {
        return isList(operand) && operand.every(concernsObjectsOnly);
      }
      return keywordRow(keyword)?.types?.join() === "object" || isAnnotation(keyword) || !isKeyword(keyword);
    })
  );
}
