import { toBase64Url } from "../../../../../runtime/src/json/base64url.js";
import { sha256 } from "../../../../../runtime/src/json/sha256.js";
import type { LoadedDocument } from "../../../model/document.js";
import type { OutputFile } from "../../../model/output.js";

export function digestFile(file: LoadedDocument | OutputFile): string {
  return digestText(file.text);
}

/** Returns the digest of a text, the same for LF and CRLF line endings. */
export function digestText(text: string): string {
  const hex = sha256(text.replaceAll("\r\n", "\n"));
  return `sha256-${toBase64Url(Uint8Array.from(hex.match(/../gu) ?? [], (byte) => Number.parseInt(byte, 16)))}`;
}

export function shortDigest(text: string): string {
  return sha256(text).slice(0, 6);
}
