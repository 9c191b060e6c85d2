import type { JsonValue } from "@hasp/schema";

/** Levels that a value may have before it is refused: deeper than any honest input, shallower than the stack. */
const MAX_DEPTH = 500;

/** A value that JSON cannot say, with the place where it stands. */
class NotJson extends TypeError {
  readonly code = "not-json";

  constructor(path: readonly (string | number)[], what: string) {
    const place = path.length === 0 ? "The value" : `The value at /${path.slice(0, 20).join("/")}`;
    super(`${place} ${what}.`);
  }
}

/**
 * A copy that shares nothing with the original and holds only what JSON can say. `toJSON` is honoured and properties
 * that are `undefined` are left out, as `JSON.stringify` does; whatever it would lose silently (a function, `NaN`, a
 * `Map`, a cycle) is refused.
 */
export function copyJson(value: unknown): JsonValue {
  return copy(value, { path: [], ancestors: [] });
}

/** A copy of a value that is known to be JSON. It is not frozen, whatever the original is. */
export function cloneJson(value: JsonValue): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(cloneJson);
  const result: Record<string, JsonValue> = { ...(value as { readonly [key: string]: JsonValue }) };
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

/** Where the copying stands. */
interface Trail {
  readonly path: (string | number)[];
  readonly ancestors: object[];
}

function copy(value: unknown, trail: Trail): JsonValue {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      if (!Number.isFinite(value)) throw new NotJson(trail.path, `is ${String(value)}, which JSON cannot say`);
      return value;
    case "object":
      return value === null ? null : copyObject(value, trail);
    case "undefined":
      throw new NotJson(trail.path, "is undefined, which JSON cannot say");
    default:
      throw new NotJson(trail.path, `is a ${typeof value}, which JSON cannot say`);
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
  if (isLostInJson(value)) throw new NotJson(trail.path, `is of the class ${className(value)}, which JSON cannot say`);
  const result: Record<string, JsonValue> = {};
  for (const key in value) {
    if (!Object.hasOwn(value, key)) continue;
    const item = (value as Record<string, unknown>)[key];
    if (item !== undefined) setOwn(result, key, copyMember(key, item, trail));
  }
  return result;
}

/** An error, a promise, a `Map`, a regular expression: JSON would say `{}`, or leave out what matters. */
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
