import type { JsonValue } from "./json-value.js";
import { setOwn } from "./copy-json.js";

export interface Rewrite {
  readonly text: (text: string) => string;
  readonly number: (value: number) => JsonValue;
  /** Takes a list of bytes, each from 0 to 255. Returns the same list if nothing changes. */
  readonly bytes: (bytes: readonly number[]) => readonly JsonValue[];
}

const AS_IT_IS: Rewrite = { text: (text) => text, number: (value) => value, bytes: (bytes) => bytes };

const MAX_DEPTH = 500;

/** Converts any value to JSON; what JSON cannot express becomes text. Returns the same object if nothing changes. */
export function toPlainJson(value: unknown, rewrite: Rewrite = AS_IT_IS): JsonValue | undefined {
  return convert(value, rewrite, []);
}

function convert(value: unknown, rewrite: Rewrite, ancestors: object[]): JsonValue | undefined {
  switch (typeof value) {
    case "string":
      return rewrite.text(value);
    case "number":
      return Number.isFinite(value) ? rewrite.number(value) : null;
    case "boolean":
      return value;
    case "bigint":
      return rewrite.text(String(value));
    case "object":
      return value === null ? null : convertObject(value, rewrite, ancestors);
    default:
      return undefined;
  }
}

function convertObject(value: object, rewrite: Rewrite, ancestors: object[]): JsonValue | undefined {
  if (ancestors.includes(value)) return "[circular]";
  if (ancestors.length === MAX_DEPTH) return "[nested too deep]";
  ancestors.push(value);
  try {
    if (Array.isArray(value)) return convertList(value, rewrite, ancestors);
    const { toJSON } = value as { readonly toJSON?: unknown };
    if (typeof toJSON === "function") return convert(toJSON.call(value, ""), rewrite, ancestors);
    if (value instanceof Error) return convert({ name: value.name, message: value.message }, rewrite, ancestors);
    return convertMembers(value as Record<string, unknown>, rewrite, ancestors);
  } catch {
    return "[unreadable]";
  } finally {
    ancestors.pop();
  }
}

function convertList(list: readonly unknown[], rewrite: Rewrite, ancestors: object[]): JsonValue {
  if (isBytes(list)) return rewrite.bytes(list) as JsonValue;
  let copy: JsonValue[] | undefined;
  for (let index = 0; index < list.length; index += 1) {
    const item = convert(list[index], rewrite, ancestors) ?? null;
    if (copy === undefined && item !== list[index]) copy = list.slice(0, index) as JsonValue[];
    copy?.push(item);
  }
  return copy ?? (list as JsonValue);
}

function convertMembers(value: Record<string, unknown>, rewrite: Rewrite, ancestors: object[]): JsonValue {
  const prototype: unknown = Object.getPrototypeOf(value);
  const keys = Object.keys(value);
  if (keys[0] === "0") {
    // JSON makes such an object of a typed array.
    const bytes = keys.map((key) => value[key]);
    const rewritten = isBytes(bytes) ? rewrite.bytes(bytes) : bytes;
    if (rewritten !== bytes) return { ...rewritten } as JsonValue;
  }
  let copy: Record<string, JsonValue> | undefined;
  if (prototype !== Object.prototype && prototype !== null) copy = {};
  for (const [index, key] of keys.entries()) {
    const member = convert(value[key], rewrite, ancestors);
    const name = rewrite.text(key);
    if (copy === undefined && (member !== value[key] || name !== key)) {
      copy = {};
      for (const earlier of keys.slice(0, index)) setOwn(copy, earlier, value[earlier] as JsonValue);
    }
    if (copy !== undefined && member !== undefined) setOwn(copy, name, member);
  }
  return copy ?? (value as JsonValue);
}

function isBytes(list: readonly unknown[]): list is readonly number[] {
  return (
    list.length > 0 &&
    list.every((item) => typeof item === "number" && Number.isInteger(item) && item >= 0 && item <= 255)
  );
}
