import type { JsonValue } from "@hasp/base/json";

export type TypeName = "array" | "boolean" | "integer" | "null" | "number" | "object" | "string";

/** A set of JSON types as bits. `number` is two of them, so that `integer` is inside `number` by plain intersection. */
export type TypeMask = number;

/** The numbers that are not integers; no type word names them alone. */
const FRACTION = 64;

export const NULL: TypeMask = 1;
const BOOLEAN: TypeMask = 2;
export const OBJECT: TypeMask = 4;
export const ARRAY: TypeMask = 8;
export const STRING: TypeMask = 16;
export const INTEGER: TypeMask = 32;
export const NUMBER: TypeMask = INTEGER | FRACTION;
export const ANY_TYPE: TypeMask = 127;

const MASKS: ReadonlyMap<string, TypeMask> = /* @__PURE__ */ new Map([
  ["null", NULL],
  ["boolean", BOOLEAN],
  ["object", OBJECT],
  ["array", ARRAY],
  ["string", STRING],
  ["integer", INTEGER],
  ["number", NUMBER],
]);

export const TYPE_NAMES: readonly TypeName[] = ["null", "boolean", "object", "array", "string", "integer", "number"];

export function isTypeName(word: unknown): word is TypeName {
  return typeof word === "string" && MASKS.has(word);
}

export function maskOfTypes(names: readonly TypeName[]): TypeMask {
  let mask = 0;
  for (const name of names) mask |= MASKS.get(name) ?? 0;
  return mask;
}

export function maskOfValue(value: JsonValue): TypeMask {
  if (value === null) return NULL;
  switch (typeof value) {
    case "boolean":
      return BOOLEAN;
    case "string":
      return STRING;
    case "number":
      return Number.isInteger(value) ? INTEGER : FRACTION;
    default:
      return Array.isArray(value) ? ARRAY : OBJECT;
  }
}

export function maskOfValues(values: readonly JsonValue[]): TypeMask {
  let mask = 0;
  for (const value of values) mask |= maskOfValue(value);
  return mask;
}

/** Lists the words for a set in the author's order; `number` becomes `integer` if only integers are left of it. */
export function listTypes(mask: TypeMask, order: readonly TypeName[]): TypeName[] {
  const names: TypeName[] = [];
  let left = mask;
  for (const name of order) {
    const kept = left & (MASKS.get(name) ?? 0);
    if (kept === 0) continue;
    // ["integer", "number"] says "number"; the wider word takes the narrower one's place.
    const word: TypeName =
      kept === INTEGER && (mask & FRACTION) === 0 ? "integer" : (kept & NUMBER) === 0 ? name : "number";
    if (!names.includes(word)) names.push(word);
    left &= ~(word === "number" ? NUMBER : kept);
  }
  return names;
}
