import type { JsonObject, JsonValue } from "./json-value.js";

/** The deepest nesting that is accepted: deeper than any real input, shallower than the stack. */
const MAX_DEPTH = 500;

class NotJson extends TypeError {
  readonly code = "not-json";

  constructor(path: readonly (string | number)[], what: string) {
    const subject = path.length === 0 ? "The value" : `The value at /${path.slice(0, 20).join("/")}`;
    super(`${subject} ${what}.`);
  }
}

/** Copies a value as JSON. Throws a `TypeError` for whatever `JSON.stringify` would lose silently, or `checkNumber` refuses. */
export function copyJson(value: unknown, checkNumber?: (value: number) => void): JsonValue {
  return copy(value, { path: [], ancestors: [], checkNumber });
}

/** Copies a value that is known to be JSON, so that the copy can be changed. */
export function cloneJson(value: JsonValue): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(cloneJson);
  const result: Record<string, JsonValue> = { ...(value as JsonObject) };
  for (const key in result) {
    const item = result[key];
    if (typeof item === "object" && item !== null && Object.hasOwn(result, key)) setOwn(result, key, cloneJson(item));
  }
  return result;
}

/** Sets an own property whatever its name: `__proto__` is a key like any other. */
export function setOwn<Value>(target: Record<string, Value>, key: string, value: Value): void {
  if (key === "__proto__") {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    target[key] = value;
  }
}

interface Trail {
  readonly path: (string | number)[];
  readonly ancestors: object[];
  readonly checkNumber: ((value: number) => void) | undefined;
}

function copy(value: unknown, trail: Trail): JsonValue {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      if (!Number.isFinite(value)) throw new NotJson(trail.path, `is ${String(value)}, which JSON cannot express`);
      trail.checkNumber?.(value);
      return value;
    case "object":
      return value === null ? null : copyObject(value, trail);
    case "undefined":
      throw new NotJson(trail.path, "is undefined, which JSON cannot express");
    default:
      throw new NotJson(trail.path, `is a ${typeof value}, which JSON cannot express`);
  }
}

function copyObject(value: object, trail: Trail): JsonValue {
  const { path, ancestors } = trail;
  if (ancestors.length > MAX_DEPTH) throw new NotJson(path, `is nested more than ${MAX_DEPTH} levels deep`);
  if (ancestors.includes(value)) throw new NotJson(path, "contains itself");
  ancestors.push(value);
  const result = copyMembers(value, trail);
  ancestors.pop();
  return result;
}

function copyMembers(value: object, trail: Trail): JsonValue {
  if (Array.isArray(value)) return Array.from(value, (item: unknown, index) => copyMember(index, item, trail));
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === "function") return copy(toJSON.call(value, ""), trail);
  if (isLostInJson(value)) {
    throw new NotJson(trail.path, `is of the class ${className(value)}, which JSON cannot express`);
  }
  const result: Record<string, JsonValue> = {};
  for (const key in value) {
    if (!Object.hasOwn(value, key)) continue;
    const item = (value as Record<string, unknown>)[key];
    if (item !== undefined) setOwn(result, key, copyMember(key, item, trail));
  }
  return result;
}

/** True if JSON would print `{}` or drop the content, as for an error, a promise, a `Map` or a regular expression. */
function isLostInJson(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return false;
  return value instanceof Error || (Object.keys(value).length === 0 && className(value) !== "Object");
}

function className(value: object): string {
  const { constructor } = value as { constructor?: { name?: unknown } };
  return typeof constructor?.name === "string" ? constructor.name : "unknown";
}

function copyMember(key: string | number, item: unknown, trail: Trail): JsonValue {
  trail.path.push(key);
  const result = copy(item, trail);
  trail.path.pop();
  return result;
}

/** Freezes a value deeply and returns it. A value that is already frozen counts as deeply frozen. */
export function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const key in value) {
    const member: unknown = value[key];
    if (typeof member === "object" && Object.hasOwn(value, key)) deepFreeze(member);
  }
  return value;
}
