const LONGEST_TEXT = 80;
const MOST_PARTS = 12;

export function describe(value: unknown): string {
  if (typeof value === "string") {
    const isLong = value.length > LONGEST_TEXT;
    return (
      JSON.stringify(value.slice(0, LONGEST_TEXT)) + (isLong ? `… (${printQuantity(value.length, "character")})` : "")
    );
  }
  if (Array.isArray(value)) return `an array of ${printQuantity(value.length, "item")}`;
  if (typeof value === "object" && value !== null) {
    const names = Object.keys(value);
    return `an object with ${list(names.slice(0, MOST_PARTS).map(describe), names.length, "and") || "no property"}`;
  }
  return String(value);
}

export function print(value: unknown): string {
  try {
    const text = JSON.stringify(value);
    if (text.length <= 2 * LONGEST_TEXT) return text;
  } catch {}
  return describe(value);
}

/** Joins phrases to a list in words: `a string, an integer or null`. Long lists are cut. */
export function join(phrases: readonly string[]): string {
  const distinct = [...new Set(phrases)];
  return list(distinct.slice(0, MOST_PARTS), distinct.length, "or");
}

/** Joins the first phrases of a list, with how many more there are. */
function list(first: readonly string[], count: number, conjunction: "and" | "or"): string {
  const shown = count > first.length ? [...first, `${count - first.length} more`] : [...first];
  const last = shown.pop() ?? "";
  return shown.length === 0 ? last : `${shown.join(", ")} ${conjunction} ${last}`;
}

export function printQuantity(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : `${noun}s`.replace(/ys$/, "ies")}`;
}
