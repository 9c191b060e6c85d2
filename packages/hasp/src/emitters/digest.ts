import { createHash } from "node:crypto";

/** The digest of a file's text, the same whether it was checked out with LF or with CRLF. */
export function digestOfText(text: string): string {
  return `sha256-${createHash("sha256").update(text.replaceAll("\r\n", "\n")).digest("base64url")}`;
}
