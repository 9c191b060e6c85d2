import { createHash } from "node:crypto";

/** So much text is kept with its digest, all together: about what a thousand tools are made into. */
const MOST_CHARACTERS = 48_000_000;
const kept = new Map<string, string>();
let characters = 0;

/** The same as {@link digestOfText}, for texts that come again: in one build and, while somebody watches, in the next. */
export function keptDigestOfText(text: string): string {
  const known = kept.get(text);
  if (known !== undefined) return known;
  const digest = digestOfText(text);
  kept.set(text, digest);
  characters += text.length;
  for (const oldest of kept.keys()) {
    if (characters <= MOST_CHARACTERS) break;
    kept.delete(oldest);
    characters -= oldest.length;
  }
  return digest;
}

/** The digest of a file's text, the same whether it was checked out with LF or with CRLF. */
export function digestOfText(text: string): string {
  return `sha256-${createHash("sha256").update(text.replaceAll("\r\n", "\n")).digest("base64url")}`;
}
