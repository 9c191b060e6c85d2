/**
 * JSON text that equal values share: the keys of every object in code-unit order, numbers by value (`-0` is `0`). A
 * member that is `undefined` is left out; `undefined` in a list, or alone, is `null`.
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
