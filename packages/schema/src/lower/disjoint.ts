import type { JsonSchema, SchemaMap, SchemaObject, TypeName } from "../json-schema.js";
import { equalJson } from "../bind/json-value.js";
import { resolveReference } from "./references.js";
import { declaredTypes, listedValues, typeOfValue } from "./vocabulary.js";

/** Whether no value can be valid for both schemas, as far as types, listed values, discriminants and closed keys show. */
export function areDisjoint(a: JsonSchema, b: JsonSchema, definitions: SchemaMap): boolean {
  const left = resolveReference(a, definitions);
  const right = resolveReference(b, definitions);
  if (left === false || right === false) return true;
  if (left === true || right === true) return false;
  const leftTypes = possibleTypes(left);
  const rightTypes = possibleTypes(right);
  if (leftTypes === undefined || rightTypes === undefined) return listsDiffer(left, right);
  const common = leftTypes.filter((type) => overlaps(rightTypes, type));
  if (common.length === 0 || listsDiffer(left, right)) return true;
  return common.length === 1 && common[0] === "object" && objectsDiffer(left, right, definitions);
}

/** The types that a schema lets through, or `undefined` where it does not say. */
export function possibleTypes(schema: SchemaObject): readonly TypeName[] | undefined {
  const declared = declaredTypes(schema);
  if (declared !== undefined) return declared;
  const values = listedValues(schema);
  return values === undefined ? undefined : [...new Set(values.map((value) => typeOfValue(value)))];
}

function overlaps(types: readonly TypeName[], type: TypeName): boolean {
  return (
    types.includes(type) || (type === "integer" && types.includes("number")) || (type === "number" && types.includes("integer"))
  );
}

function listsDiffer(a: SchemaObject, b: SchemaObject): boolean {
  const left = listedValues(a);
  const right = listedValues(b);
  return left !== undefined && right !== undefined && !left.some((value) => right.some((other) => equalJson(value, other)));
}

function objectsDiffer(a: SchemaObject, b: SchemaObject, definitions: SchemaMap): boolean {
  return requiresForbidden(a, b) || requiresForbidden(b, a) || discriminantsDiffer(a, b, definitions);
}

/** Whether `a` requires a key that `b` cannot hold. */
function requiresForbidden(a: SchemaObject, b: SchemaObject): boolean {
  return (a.required ?? []).some((name) => {
    const declared = b.properties !== undefined && Object.hasOwn(b.properties, name) ? b.properties[name] : undefined;
    if (declared !== undefined) return declared === false;
    return b.additionalProperties === false && b.patternProperties === undefined;
  });
}

/** Whether both require a property whose values cannot be the same. */
function discriminantsDiffer(a: SchemaObject, b: SchemaObject, definitions: SchemaMap): boolean {
  return (a.required ?? []).some((name) => {
    if (b.required?.includes(name) !== true) return false;
    const left = propertyOf(a, name);
    const right = propertyOf(b, name);
    return left !== undefined && right !== undefined && areDisjoint(left, right, definitions);
  });
}

function propertyOf(schema: SchemaObject, name: string): SchemaObject | undefined {
  const { properties } = schema;
  if (properties === undefined || !Object.hasOwn(properties, name)) return undefined;
  const property = properties[name];
  // Only listed values and types are compared one level down: that is what discriminants are made of.
  return typeof property === "object" && property.$ref === undefined ? property : undefined;
}
