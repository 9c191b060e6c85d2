import { ARRAY, OBJECT } from "../../json/type-mask.js";
import { listedValues, possibleTypes, propertyOf } from "../../vocabulary/disjoint.js";
import type { JsonSchema, SchemaMap } from "../../vocabulary/json-schema.js";
import { definitionName } from "./references.js";

const DEEPEST = 400;

/**
 * Returns the definitions that no finite value satisfies, such as one that requires itself. They are what remains when
 * definitions are found inhabited until no further one is. What a schema says is read only as far as recursion matters.
 */
export function findUninhabited(definitions: SchemaMap): ReadonlySet<string> {
  const left = new Set(Object.keys(definitions));
  const isInhabited = (schema: JsonSchema, depth: number): boolean => {
    if (typeof schema === "boolean") return schema;
    if (depth > DEEPEST) return true;
    const isInside = (inner: JsonSchema): boolean => isInhabited(inner, depth + 1);
    const name = schema.$ref === undefined ? undefined : definitionName(schema.$ref);
    if (name !== undefined) return !left.has(name);
    if (listedValues(schema)?.length === 0) return false;
    const { anyOf, oneOf, allOf, required = [], prefixItems = [], items, minItems = 0 } = schema;
    if ([anyOf, oneOf].some((branches) => branches?.some(isInside) === false)) return false;
    if (allOf?.every(isInside) === false) return false;
    const types = possibleTypes(schema);
    if ((types & ~(OBJECT | ARRAY)) !== 0) return true;
    const further = minItems > prefixItems.length ? [(items as JsonSchema | undefined) ?? true] : [];
    return (
      ((types & OBJECT) !== 0 && required.every((key) => isInside(propertyOf(schema, key) ?? true))) ||
      ((types & ARRAY) !== 0 && [...prefixItems.slice(0, minItems), ...further].every(isInside))
    );
  };
  // Each round goes the other way, so that a chain of definitions takes two rounds, however it is ordered.
  for (let size = -1, round = 0; size !== left.size; round += 1) {
    size = left.size;
    for (const name of round % 2 === 0 ? [...left] : [...left].toReversed()) {
      if (isInhabited(definitions[name] ?? true, 0)) left.delete(name);
    }
  }
  return left;
}
