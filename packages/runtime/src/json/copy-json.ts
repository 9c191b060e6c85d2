import type { JsonValue } from "@hasp/schema";

/** Levels that a value may have before it is refused: deeper than any honest input, shallower than the stack. */
const MAX_DEPTH = 500;

/** A value that JSON cannot say, with the place where it stands. */
export class NotJson extends TypeError {
  readonly code = "not-json";

  constructor(pointer: string, what: string) {
    super(`${pointer === "" ? "The value" : `The value at ${pointer}`} ${what}.`);
  }
}

/**
 * A copy that shares nothing with the original and holds only what JSON can say. `toJSON` is honoured and properties that
 * are `undefined` are left out, as `JSON.stringify` does; whatever it would lose silently (a function, `NaN`, a `Map`, a
 * cycle) is refused.
 */
export function copyJson(value: unknown): JsonValue {
  return copy(value, "", 0, []);
}

function copy(value: unknown, pointer: string, depth: number, ancestors: object[]): JsonValue {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      if (!Number.isFinite(value)) throw new NotJson(pointer, `is ${String(value)}, which JSON cannot say`);
      return value;
    case "object":
      if (value === null) return null;
      break;
    default:
      throw new NotJson(
        pointer,
        `is ${typeof value === "undefined" ? "undefined" : `a ${typeof value}`}, which JSON cannot say`,
      );
  }
  if (depth > MAX_DEPTH) throw new NotJson(pointer.slice(0, 60), `is nested more than ${MAX_DEPTH} levels deep`);
  if (ancestors.includes(value)) throw new NotJson(pointer, "contains itself");
  ancestors.push(value);
  const result = copyObject(value, pointer, depth, ancestors);
  ancestors.pop();
  return result;
}

function copyObject(value: object, pointer: string, depth: number, ancestors: object[]): JsonValue {
  if (Array.isArray(value)) {
    return Array.from(value, (item: unknown, index) => copy(item, `${pointer}/${index}`, depth + 1, ancestors));
  }
  if (value instanceof Map || value instanceof Set) {
    throw new NotJson(pointer, "is a Map or a Set, which JSON cannot say");
  }
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === "function") return copy(toJSON.call(value, ""), pointer, depth + 1, ancestors);
  const result: Record<string, JsonValue> = {};
  for (const key in value) {
    if (!Object.hasOwn(value, key)) continue;
    const item = (value as Record<string, unknown>)[key];
    if (item === undefined) continue;
    setOwn(result, key, copy(item, `${pointer}/${key}`, depth + 1, ancestors));
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
