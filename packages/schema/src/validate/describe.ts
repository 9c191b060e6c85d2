const LONGEST_TEXT = 80;
const MOST_PARTS = 12;

/** A value in a few words, short whatever its size: what a message says was sent. */
export function describe(value: unknown): string {
  if (typeof value === "string") {
    return value.length <= LONGEST_TEXT
      ? JSON.stringify(value)
      : `${JSON.stringify(value.slice(0, LONGEST_TEXT))}… (${value.length} characters)`;
  }
  if (Array.isArray(value)) return value.length === 1 ? "an array of 1 item" : `an array of ${value.length} items`;
  if (typeof value === "object" && value !== null) {
    const keys = Object.keys(value);
    return keys.length === 0 ? "an empty object" : `an object with ${listed(keys, "and")}`;
  }
  if (typeof value === "number" || typeof value === "boolean" || value === null) return String(value);
  return `${typeof value}, which is not JSON`;
}

/** A value that must be met exactly: its JSON where that is short. */
export function exact(value: unknown): string {
  if (typeof value !== "object" || value === null) return describe(value);
  try {
    const text = JSON.stringify(value);
    return text.length <= 2 * LONGEST_TEXT ? text : describe(value);
  } catch {
    return describe(value); // cyclic, or nested too deeply to print
  }
}

/** Values as a list in words: `"a", "b" or "c"`. Long lists are cut. */
export function listed(values: readonly unknown[], conjunction: "and" | "or"): string {
  return joined(values.map(describe), conjunction);
}

/** Phrases as a list in words: `a string, an integer or null`. Long lists are cut. */
export function joined(phrases: readonly string[], conjunction: "and" | "or"): string {
  const parts =
    phrases.length > MOST_PARTS
      ? [...phrases.slice(0, MOST_PARTS), `${phrases.length - MOST_PARTS} more`]
      : phrases;
  const last = parts.at(-1) ?? "";
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(", ")} ${conjunction} ${last}`;
}
