/** Whether JSON carries a value as it is. It would make null of an infinite number, and 0 of a negative zero. */
export function isPlain(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value) && !Object.is(value, -0);
  if (typeof value === "object" && value !== null) return Object.values(value).every(isPlain);
  return value === null || typeof value === "string" || typeof value === "boolean";
}
