/** Selects tools by name: one of the names matches `only`, and none matches `except`. `*` stands for any characters. */
export function wantedBy({
  only,
  except = [],
}: {
  readonly only?: readonly string[] | undefined;
  readonly except?: readonly string[] | undefined;
}): (names: readonly string[]) => boolean {
  const isIncluded = only === undefined ? () => true : matchesOneOf(only);
  const isExcluded = matchesOneOf(except);
  return (names) => isIncluded(names) && !isExcluded(names);
}

function matchesOneOf(texts: readonly string[]): (names: readonly string[]) => boolean {
  const patterns = texts.map((text) => text.split("*"));
  return (names) => names.some((name) => patterns.some((parts) => matches(name, parts)));
}

/** True if the name begins with the first part, ends with the last, and has the others between them in order. */
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
