/** Prints a count: `1 tool`, `2 tools`, `no tools`. */
export function pluralize(count: number, one: string, many: string = `${one}s`): string {
  return count === 0 ? `no ${many}` : `${count} ${count === 1 ? one : many}`;
}

/** Joins words: `a`, `a and b`, `a, b and c`. */
export function joinList(words: readonly string[], conjunction: "and" | "or" = "and"): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} ${conjunction} ${last}`;
}

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
