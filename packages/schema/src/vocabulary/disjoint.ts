import { type JsonValue, isEqualJson, own } from "@hasp/base/json";
import type { JsonSchema, SchemaObject } from "./json-schema.js";
import { ANY_TYPE, OBJECT, maskOfTypes, maskOfValues, type TypeMask } from "../json/type-mask.js";

export type Resolve = (reference: string) => JsonSchema | undefined;

const MAX_DEPTH = 4;
const MAX_HOPS = 100;
/** Limits the branches of compared unions: the effort multiplies with each level. */
const MOST_BRANCHES = 16;

/** True if no value can be valid under both schemas. `false` means that it was not proved. */
export function areDisjoint(left: JsonSchema, right: JsonSchema, resolve: Resolve, depth = 0): boolean {
  const first = targetOf(left, resolve);
  const second = targetOf(right, resolve);
  if (first === false || second === false) return true;
  if (typeof first !== "object" || typeof second !== "object" || depth > MAX_DEPTH) return false;
  const types = findPossibleTypes(first) & findPossibleTypes(second);
  if (types === 0 || listsDiffer(readListedValues(first), readListedValues(second))) return true;
  if (isBesideAll(first, second, resolve, depth) || isBesideAll(second, first, resolve, depth)) return true;
  return (
    types === OBJECT &&
    (excludesByKey(first, second) || excludesByKey(second, first) || isDiscriminated(first, second, resolve, depth))
  );
}

/** True if a union has no branch that shares a value with the other schema. */
function isBesideAll({ anyOf, oneOf }: SchemaObject, other: SchemaObject, resolve: Resolve, depth: number): boolean {
  return [anyOf, oneOf].some(
    (branches) =>
      branches !== undefined &&
      branches.length <= MOST_BRANCHES &&
      branches.every((branch) => areDisjoint(branch, other, resolve, depth + 1)),
  );
}

/** Follows the references of a schema; `undefined` if one refers to nothing. */
function targetOf(schema: JsonSchema, resolve: Resolve): JsonSchema | undefined {
  let target: JsonSchema | undefined = schema;
  for (let hop = 0; typeof target === "object" && target.$ref !== undefined; hop++) {
    target = hop < MAX_HOPS ? resolve(target.$ref) : undefined;
  }
  return target;
}

export function findPossibleTypes(schema: SchemaObject): TypeMask {
  const { type } = schema;
  const values = readListedValues(schema);
  const stated = type === undefined ? ANY_TYPE : maskOfTypes(typeof type === "string" ? [type] : type);
  return values === undefined ? stated : stated & maskOfValues(values);
}

export function readListedValues({ const: constant, enum: values }: SchemaObject): readonly JsonValue[] | undefined {
  return constant === undefined ? values : [constant];
}

export function listsDiffer(left: readonly JsonValue[] | undefined, right: readonly JsonValue[] | undefined): boolean {
  if (left === undefined || right === undefined) return false;
  const known = new Set(right);
  const objects = right.filter((value) => typeof value === "object");
  return !left.some(
    (value) => known.has(value) || (typeof value === "object" && objects.some((other) => isEqualJson(value, other))),
  );
}

/** True if one requires a key that the other cannot have. */
function excludesByKey(closed: SchemaObject, asking: SchemaObject): boolean {
  const isClosed = closed.additionalProperties === false && closed.patternProperties === undefined;
  return asking.required?.some((name) => !(own(closed.properties, name) ?? !isClosed)) ?? false;
}

/** True if one requires a key on whose value the two cannot agree. */
function isDiscriminated(left: SchemaObject, right: SchemaObject, resolve: Resolve, depth: number): boolean {
  return [...(left.required ?? []), ...(right.required ?? [])].some((name) => {
    const first = own(left.properties, name);
    const second = own(right.properties, name);
    return first !== undefined && second !== undefined && areDisjoint(first, second, resolve, depth + 1);
  });
}
