/**
 * Freezes a value and everything below it, and gives it back. What is frozen already is taken to be frozen below as
 * well.
 */
export function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const key in value) {
    const member: unknown = value[key];
    if (typeof member === "object" && Object.hasOwn(value, key)) deepFreeze(member);
  }
  return value;
}
