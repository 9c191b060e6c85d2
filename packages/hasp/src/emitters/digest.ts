import { createHash } from "node:crypto";

const digests = new WeakMap<Texted, string>();

/** Anything that has a text and keeps it: a file that was read or made. */
interface Texted {
  readonly text: string;
}

/** The digest of a file's text, found once: the same object comes again in one build and, while somebody watches, in the next. */
export function digestOfFile(file: Texted): string {
  const known = digests.get(file);
  if (known !== undefined) return known;
  const digest = digestOfText(file.text);
  digests.set(file, digest);
  return digest;
}

/** The digest of a file's text, the same whether it was checked out with LF or with CRLF. */
export function digestOfText(text: string): string {
  return `sha256-${createHash("sha256").update(text.replaceAll("\r\n", "\n")).digest("base64url")}`;
}
