import type { JsonObject, JsonValue } from "@hasp/schema";
import { isAnnotation, isKeyword, keywordRow } from "@hasp/schema/vocabulary";
import { isList, isObject } from "../../../../compiler/src/model/json-kind.js";

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

/** True if a schema, one of its `allOf` parts, or each of its alternatives passes a test. */
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
