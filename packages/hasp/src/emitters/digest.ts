import { createHash } from "node:crypto";
import type { LoadedDocument } from "../model/document.js";
import { createMemory } from "../model/memory.js";
import { type OutputFile, piecesOf } from "../model/output.js";

const digestsSoFar = createMemory<LoadedDocument | OutputFile, string>();

/**
 * The digest of the text of a file that was read or made, found once: the same object comes again in one build and,
 * while somebody watches, in the next.
 */
export function digestOfFile(file: LoadedDocument | OutputFile): string {
  return digestsSoFar.of(file, "", () => digestOfPieces("owner" in file ? piecesOf(file) : [file.text]));
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
