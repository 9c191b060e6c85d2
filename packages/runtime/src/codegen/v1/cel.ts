import { celError, equal } from "@hasp/base/conditions";
import { readOwnMember } from "@hasp/base/json";
import { linearPattern } from "@hasp/schema/vocabulary";

export {
  checkedDuration,
  checkedTimestamp,
  compareText,
  divideIntegers,
  duration,
  equal,
  remainder,
  safeInteger,
  textLength,
  timestamp,
} from "@hasp/base/conditions";

/** A value whose every read the compiler has checked. */
type CheckedItem = ReturnType<typeof JSON.parse>;

/** Reads the field at `path`. Throws if it or an object on the way is absent, so that an absent field never decides. */
export function member(value: object, ...path: readonly string[]): CheckedItem {
  let at: unknown = value;
  for (const key of path) {
    at = ownMember(at, key);
    if (at === undefined) throw celError(`there is no ${JSON.stringify(key)}.`);
  }
  return at;
}

/** True if the field at `path` is present. Throws if an object on the way is absent. */
export function hasMember(value: object, ...path: readonly string[]): boolean {
  const key = path.at(-1) ?? "";
  return ownMember(member(value, ...path.slice(0, -1)), key) !== undefined;
}

function ownMember(holder: unknown, key: string): unknown {
  if (typeof holder !== "object" || holder === null || Array.isArray(holder)) {
    throw celError(`only an object has a field ${JSON.stringify(key)}.`);
  }
  return readOwnMember(holder, key);
}

/** True if every item of a list passes; stops at the first that does not. */
export function all(list: readonly CheckedItem[], test: (item: CheckedItem) => boolean): boolean {
  return list.every((item) => test(item));
}

/** True if an item of a list passes; stops at the first that does. */
export function exists(list: readonly CheckedItem[], test: (item: CheckedItem) => boolean): boolean {
  return list.some((item) => test(item));
}

/** True if a list or object is among the items of a list, by value. */
export function contains(list: readonly unknown[], value: unknown): boolean {
  return list.some((item) => equal(item, value));
}

/** True if a pattern matches in a text, in linear time. Throws for a text that is too long for the pattern. */
export function matches(text: string, pattern: string): boolean {
  const compiled = linearPattern(pattern);
  if (compiled === undefined) throw celError(`${JSON.stringify(pattern)} cannot be matched in linear time.`);
  return compiled.test(text);
}
