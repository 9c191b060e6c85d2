/** Escapes a key as one token of a JSON Pointer (RFC 6901). */
export function escapeToken(key: string): string {
  // Nearly every key is its own token; this is asked for every node of every schema.
  return key.includes("~") || key.includes("/") ? key.replaceAll("~", "~0").replaceAll("/", "~1") : key;
}

export function unescapeToken(token: string): string {
  return token.includes("~") ? token.replaceAll("~1", "/").replaceAll("~0", "~") : token;
}

export function appendToPointer(pointer: string, key: string | number): string {
  // To V8, a string that is concatenated once takes half the memory of one that is concatenated twice.
  const step = `/${typeof key === "number" ? key : escapeToken(key)}`;
  return pointer + step;
}

/** Splits a JSON Pointer into its unescaped steps. `""` has none. */
export function parsePointer(pointer: string): string[] {
  return pointer.split("/").slice(1).map(unescapeToken);
}

/** Undoes the percent escapes of a URI fragment; `undefined` if they are broken. */
export function decodeFragment(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return undefined;
  }
}
