/** Escapes a key as one token of a JSON Pointer (RFC 6901). */
export function escapeToken(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** Splits a JSON Pointer into its keys and indexes. */
export function pointerTokens(pointer: string): readonly string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}
