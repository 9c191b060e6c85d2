import { hash } from "node:crypto";
import type { LoadedDocument } from "../../../model/document.js";
import type { OutputFile } from "../../../model/output.js";

/** The digest of the text of a file that was read or made. */
export function digestOfFile(file: LoadedDocument | OutputFile): string {
  return digestOfText(file.text);
}

/** The digest of a file's text, the same whether it was checked out with LF or with CRLF. */
export function digestOfText(text: string): string {
  return `sha256-${hash("sha256", text.replaceAll("\r\n", "\n"), "base64url")}`;
}

/** A few hex digits of a digest, to tell names apart. */
export function shortDigest(text: string): string {
  return hash("sha256", text, "hex").slice(0, 6);
}
