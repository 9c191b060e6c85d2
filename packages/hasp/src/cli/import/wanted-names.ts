/** Whether one of a tool's names is asked for; `*` stands for any characters. */
export function wantedBy(only: readonly string[]): (names: readonly string[]) => boolean {
  const patterns = only.map((text) => text.split("*"));
  return (names) => names.some((name) => patterns.some((parts) => matches(name, parts)));
}

/** Whether the parts stand in the name one after the other, the first at its beginning and the last at its end. */
function matches(name: string, parts: readonly string[]): boolean {
  const [first = "", ...rest] = parts;
  const last = rest.pop();
  if (last === undefined) return name === first;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const next = name.indexOf(part, at);
    if (next === -1) return false;
    at = next + part.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}
