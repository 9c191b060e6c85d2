/** Sets of JSON types as bits. A whole number has the bits `number` and `integer`. */
export const kinds = { string: 1, number: 2, integer: 4, boolean: 8, array: 16, object: 32, null: 64 } as const;

export const anyKind = 127;

/** Returns the bits of a value's types; 0 for what JSON cannot say (`undefined`, `NaN`, a function, …). */
export function kindsOf(value: unknown): number {
  switch (typeof value) {
    case "string":
      return kinds.string;
    case "boolean":
      return kinds.boolean;
    case "number":
      if (Number.isInteger(value)) return kinds.number | kinds.integer;
      return Number.isFinite(value) ? kinds.number : 0;
    case "object":
      if (value === null) return kinds.null;
      return Array.isArray(value) ? kinds.array : kinds.object;
    default:
      return 0;
  }
}

export function listKindPhrases(set: number): readonly string[] {
  return Object.entries(kinds)
    .filter(([, kind]) => (set & kind) !== 0)
    .map(([name]) => (name === "null" ? name : `${/^[aio]/.test(name) ? "an" : "a"} ${name}`));
}
