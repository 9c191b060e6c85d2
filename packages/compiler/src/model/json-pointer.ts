/** A key as one token of a JSON Pointer (RFC 6901). */
export function escapeToken(token: string): string {
  // Nearly every key is its own token; this is asked for every node of every schema.
  return token.includes("~") || token.includes("/") ? token.replaceAll("~", "~0").replaceAll("/", "~1") : token;
}

/** The key that a token of a JSON Pointer stands for. */
export function unescapeToken(token: string): string {
  return token.includes("~") ? token.replaceAll("~1", "/").replaceAll("~0", "~") : token;
}

/** The keys and indexes along a JSON Pointer. */
export function pointerTokens(pointer: string): readonly string[] {
  return pointer.split("/").slice(1).map(unescapeToken);
}
