/** True if JSON carries a value unchanged. JSON turns infinity into null, and negative zero into 0. */
export function isPlain(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value) && !Object.is(value, -0);
  if (typeof value === "object" && value !== null) return Object.values(value).every(isPlain);
  return value === null || typeof value === "string" || typeof value === "boolean";
}
