import { own } from "@hasp/base/json";
import type { JsonValue } from "@hasp/schema";

/** CEL's kind of a JSON value: JSON's one kind of number is two in CEL. */
export type Kind = "null" | "bool" | "int" | "double" | "string" | "list" | "map";

/** The possible kinds of an expression's result: those of JSON values, and times. */
export type ValueKind = Kind | "timestamp" | "duration";

/** The kinds of the types of JSON Schema. */
const KINDS_OF_TYPES: { readonly [type: string]: readonly Kind[] } = {
  array: ["list"],
  boolean: ["bool"],
  integer: ["int"],
  null: ["null"],
  number: ["int", "double"],
  object: ["map"],
  string: ["string"],
};

export function listKindsOfType(type: string): readonly Kind[] {
  return own(KINDS_OF_TYPES, type) ?? [];
}

export function findKind(value: JsonValue): Kind {
  if (value === null) return "null";
  if (Array.isArray(value)) return "list";
  switch (typeof value) {
    case "boolean":
      return "bool";
    case "string":
      return "string";
    case "number":
      return Number.isInteger(value) ? "int" : "double";
    default:
      return "map";
  }
}

const WORDS: { readonly [kind in ValueKind]: string } = {
  null: "null",
  bool: "true or false",
  int: "an integer",
  double: "a number",
  string: "a string",
  list: "a list",
  map: "an object",
  timestamp: "a timestamp",
  duration: "a duration",
};

export function describeKinds(kinds: ReadonlySet<ValueKind>): string {
  if (kinds.size === 0) return "nothing (the tests before it leave no value)";
  if (kinds.size >= 6) return "of any kind";
  const nullLast = [...kinds].toSorted((a, b) => Number(a === "null") - Number(b === "null"));
  return nullLast.map((kind) => WORDS[kind]).join(" or ");
}
