/** Freezes a value and everything below it, and returns it. A value that is already frozen counts as deeply frozen. */
export function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const key in value) {
    const member: unknown = value[key];
    if (typeof member === "object" && Object.hasOwn(value, key)) deepFreeze(member);
  }
  return value;
}
