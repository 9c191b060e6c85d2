import type { Field } from "./fields.js";

/** What a field takes, in words that follow "must be". */
export function expectedValue(field: Field): string {
  if ("values" in field) return joinWords(field.values.map(String), "or");
  const { type, minimum, exclusiveMinimum, maximum } = field.number;
  const kind = type === "integer" ? "a whole number" : "a number";
  const least = exclusiveMinimum === undefined ? `of at least ${minimum ?? "any"}` : `above ${exclusiveMinimum}`;
  const range = minimum !== undefined && maximum !== undefined ? `from ${minimum} to ${maximum}` : least;
  return `${kind} of ${field.unit} ${range}${field.unlimited ? ", or unlimited" : ""}`;
}

/** Words in a sentence: `a, b or c`. */
export function joinWords(words: readonly string[], conjunction: "and" | "or"): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${conjunction} ${words.at(-1)}`;
}
