import { createHash } from "node:crypto";
import type { LoadedDocument } from "../model/document.js";
import { type OutputFile, piecesOf } from "../model/output.js";

const digests = new WeakMap<LoadedDocument | OutputFile, string>();

/**
 * The digest of the text of a file that was read or made, found once: the same object comes again in one build and,
 * while somebody watches, in the next.
 */
export function digestOfFile(file: LoadedDocument | OutputFile): string {
  const known = digests.get(file);
  if (known !== undefined) return known;
  const digest = digestOfPieces("owner" in file ? piecesOf(file) : [file.text]);
  digests.set(file, digest);
  return digest;
}

/** The digest of a file's text, the same whether it was checked out with LF or with CRLF. */
export function digestOfText(text: string): string {
  return digestOfPieces([text]);
}

function digestOfPieces(pieces: readonly string[]): string {
  const hash = createHash("sha256");
  // Each by itself: a text of megabytes would be copied first.
  for (const piece of pieces) hash.update(piece.replaceAll("\r\n", "\n"));
  return `sha256-${hash.digest("base64url")}`;
}
