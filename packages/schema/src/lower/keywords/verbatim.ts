import type { JsonSchema, SchemaObject } from "../../vocabulary/json-schema.js";
import { mapSubschemas } from "../../vocabulary/walk-schema.js";
import { actionFor, type LoweringContext } from "../context/context.js";
import { declaredTypes, isKeyword } from "../context/schema-facts.js";

/**
 * True if a schema means the same in the dialect without any change: every keyword is kept, and nothing changes its
 * form. References do not qualify, since their targets are lowered.
 */
export function isVerbatim(context: LoweringContext, schema: unknown): boolean {
  if (typeof schema === "boolean") return true;
  if (typeof schema !== "object" || schema === null) return false;
  const { formats, patterns, shapes } = context.dialect;
  if (formats !== "any" || patterns !== "any" || shapes.maps !== "kept" || shapes.nodes !== "free") return false;
  const node = schema as SchemaObject;
  if (shapes.items === "demanded" && declaredTypes(node)?.includes("array") === true && node.items === undefined) {
    return false;
  }
  return Object.entries(node).every(([keyword, value]) => {
    if (!isKeyword(keyword) || actionFor(context, keyword, false) !== "keep") return false;
    if (keyword === "$ref" || keyword === "$defs") return false;
    const inner: JsonSchema[] = [];
    mapSubschemas(keyword, value, (each) => inner.push(each));
    const takesBooleans = keyword !== "properties" || shapes.booleanProperties;
    return inner.every((each) => (takesBooleans || typeof each === "object") && isVerbatim(context, each));
  });
}
