import type { JsonSchema, SchemaObject } from "../json-schema.js";
import { actionFor, type Lowering } from "./lowering.js";
import { declaredTypes, isKeyword } from "./vocabulary.js";

/**
 * Whether a schema says exactly the same in the dialect as it stands: each keyword in it is kept, and nothing in it would
 * be lowered to another form. References count as changed, since what they name is lowered.
 */
export function isVerbatim(lowering: Lowering, schema: unknown): boolean {
  if (typeof schema === "boolean") return true;
  if (typeof schema !== "object" || schema === null) return false;
  const { formats, patterns, shapes } = lowering.dialect;
  if (formats !== "any" || patterns !== "any" || shapes.maps !== "kept" || shapes.nodes !== "free") return false;
  const node = schema as SchemaObject;
  if (shapes.items === "demanded" && declaredTypes(node)?.includes("array") === true && node.items === undefined) return false;
  return Object.entries(node).every(([keyword, value]) => {
    if (!isKeyword(keyword) || actionFor(lowering, keyword, false) !== "keep") return false;
    switch (keyword) {
      case "$ref":
      case "$defs":
        return false;
      case "properties":
        return Object.values(value as object).every(
          (inner) => (shapes.booleanProperties || typeof inner === "object") && isVerbatim(lowering, inner),
        );
      case "patternProperties":
      case "dependentSchemas":
        return Object.values(value as object).every((inner) => isVerbatim(lowering, inner));
      case "anyOf":
      case "oneOf":
      case "allOf":
      case "prefixItems":
        return (value as readonly JsonSchema[]).every((inner) => isVerbatim(lowering, inner));
      case "additionalProperties":
      case "unevaluatedProperties":
      case "propertyNames":
      case "items":
      case "contains":
      case "unevaluatedItems":
      case "not":
      case "if":
      case "then":
      case "else":
        return isVerbatim(lowering, value);
      default:
        return true;
    }
  });
}
