/** A key as one token of a JSON Pointer (RFC 6901). */
export function escapeToken(token: string): string {
  // Nearly every key is its own token; this is asked for every node of every schema.
  return token.includes("~") || token.includes("/") ? token.replaceAll("~", "~0").replaceAll("/", "~1") : token;
}
