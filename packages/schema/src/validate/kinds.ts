/** Sets of JSON types as bits. A whole number has the bits `number` and `integer`. */
export const kinds = { null: 1, boolean: 2, number: 4, string: 8, array: 16, object: 32, integer: 64 } as const;

/** Every JSON type. */
export const anyKind = 127;

/** The bits of a value's types; 0 for what JSON cannot say (`undefined`, `NaN`, a function, …). */
export function kindsOf(value: unknown): number {
  switch (typeof value) {
    case "string":
      return kinds.string;
    case "number":
      if (Number.isInteger(value)) return kinds.number | kinds.integer;
      return Number.isFinite(value) ? kinds.number : 0;
    case "boolean":
      return kinds.boolean;
    case "object":
      if (value === null) return kinds.null;
      return Array.isArray(value) ? kinds.array : kinds.object;
    default:
      return 0;
  }
}

const phrases: readonly (readonly [number, string])[] = [
  [kinds.string, "a string"],
  [kinds.number, "a number"],
  [kinds.integer, "an integer"],
  [kinds.boolean, "a boolean"],
  [kinds.array, "an array"],
  [kinds.object, "an object"],
  [kinds.null, "null"],
];

/** The words for each type of a set. */
export function kindPhrases(set: number): readonly string[] {
  return phrases
    .filter(([kind]) => (set & kind) !== 0 && !(kind === kinds.integer && (set & kinds.number) !== 0))
    .map(([, phrase]) => phrase);
}
