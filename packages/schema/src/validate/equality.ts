/**
 * A scalar or text that two JSON values share exactly if JSON Schema calls them equal: numbers by value (`1` is `1.0`, `-0`
 * is `0`), objects whatever the order of their keys. To be kept in a `Set` or as a key of a `Map`.
 */
export function equalityKey(value: unknown): unknown {
  if (typeof value === "string") return `"${value}`;
  return typeof value === "object" && value !== null ? canonicalText(value) : value;
}

/**
 * JSON text that equal values share: the keys of every object in code-unit order, numbers by value (`-0` is `0`). A member
 * that is `undefined` is left out; `undefined` in a list, or alone, is `null`.
 */
export function canonicalText(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(",")}]`;
  const members = Object.keys(value)
    .toSorted()
    .flatMap((key): readonly string[] => {
      const member: unknown = Reflect.get(value, key);
      return member === undefined ? [] : [`${JSON.stringify(key)}:${canonicalText(member)}`];
    });
  return `{${members.join(",")}}`;
}
