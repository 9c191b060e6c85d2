import { closeSync, openSync, writeFileSync } from "node:fs";

/**
 * So many bytes are gathered before they are written: enough that calls do not count, and few enough to stay in the
 * processor's cache.
 */
const GATHERED_BYTES = 1 << 18;
/** No character of a text takes more. */
const MOST_BYTES = 3;

/**
 * Makes a file of a text in pieces, which are never joined. Throws what the system says; `EEXIST` where something is
 * there.
 */
export function writePieces(path: string, pieces: readonly string[]): void {
  const [only = "", ...others] = pieces;
  if (others.length === 0) return writeFileSync(path, only, { flag: "wx" });
  const file = openSync(path, "wx");
  try {
    const gathered = Buffer.allocUnsafe(GATHERED_BYTES);
    let length = 0;
    const write = (): void => {
      writeFileSync(file, gathered.subarray(0, length));
      length = 0;
    };
    for (const piece of pieces) {
      const room = piece.length * MOST_BYTES;
      if (length + room > GATHERED_BYTES) write();
      if (room > GATHERED_BYTES) writeFileSync(file, piece);
      else length += gathered.write(piece, length);
    }
    write();
  } finally {
    closeSync(file);
  }
}
