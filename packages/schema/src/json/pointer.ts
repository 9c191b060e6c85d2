/** A key as one token of a JSON Pointer (RFC 6901). */
export function escapeToken(key: string): string {
  // Nearly every key is its own token; this is asked for every node of every schema.
  return key.includes("~") || key.includes("/") ? key.replaceAll("~", "~0").replaceAll("/", "~1") : key;
}

/** The key that a token of a JSON Pointer stands for. */
export function unescapeToken(token: string): string {
  return token.includes("~") ? token.replaceAll("~1", "/").replaceAll("~0", "~") : token;
}

/** Adds one step to a JSON Pointer. */
export function childPointer(pointer: string, key: string | number): string {
  return `${pointer}/${typeof key === "number" ? key : escapeToken(key)}`;
}

/** The steps of a JSON Pointer, unescaped. `""` has none. */
export function pointerKeys(pointer: string): string[] {
  return pointer.split("/").slice(1).map(unescapeToken);
}

/** A URI fragment with its percent escapes undone; `undefined` where they are broken. */
export function decodeFragment(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return undefined;
  }
}
