/** Adds one step to a JSON Pointer (RFC 6901). */
export function childPointer(pointer: string, key: string | number): string {
  if (typeof key === "number") return `${pointer}/${key}`;
  return key.includes("~") || key.includes("/")
    ? `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`
    : `${pointer}/${key}`;
}

/** The steps of a JSON Pointer, unescaped. `""` has none. */
export function pointerKeys(pointer: string): string[] {
  if (pointer === "") return [];
  return pointer
    .slice(1)
    .split("/")
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** A URI fragment with its percent escapes undone; `undefined` where they are broken. */
export function decodeFragment(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return undefined;
  }
}
