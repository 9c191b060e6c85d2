/** Prints a count: `1 tool`, `2 tools`, `no tools`. */
export function pluralize(count: number, one: string, many: string = `${one}s`): string {
  return count === 0 ? `no ${many}` : `${count} ${count === 1 ? one : many}`;
}

/** Shortens a list of names to the first ones and the number of the others, if these are several. */
export function nameSome(names: readonly string[], most: number): readonly string[] {
  const rest = names.length - most;
  return rest > 1 ? [...names.slice(0, most), `${rest} more`] : names;
}

/** Joins words: `a`, `a and b`, `a, b and c`. */
export function joinList(words: readonly string[], conjunction: "and" | "or" = "and"): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} ${conjunction} ${last}`;
}

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
