import type { JsonValue } from "@hasp/schema";
import type { OutputFile } from "../../model/output.js";
import { fault } from "./fault.js";

/**
 * A file of JSON is the expected pieces in their order, and what stands around them is the frame: read with a number in
 * the place of each piece, it must be as `isFrame` says. Throws where it is not, a fault of hasp.
 */
export function proveFrame(file: OutputFile, pieces: readonly string[], isFrame: (frame: JsonValue) => boolean): void {
  const frame = frameInText(file.text, pieces) ?? fault(file.path, "a part that was proved is not in it");
  if (!isFrame(parsed(frame))) fault(file.path, "its parts do not stand where they belong");
}

/** What stands around the expected pieces, with the number of each in its place; `undefined` if one is missing. */
function frameInText(text: string, expected: readonly string[]): string | undefined {
  const frame: string[] = [];
  let position = 0;
  for (const [index, piece] of expected.entries()) {
    const at = placeOf(piece, text, position);
    if (at === undefined) return undefined;
    frame.push(text.slice(position, at), String(index));
    position = at + piece.length;
  }
  return [...frame, text.slice(position)].join("");
}

/** So much of a piece is looked for; the rest is compared, which is much cheaper. */
const START = 16;

function placeOf(piece: string, within: string, from: number): number | undefined {
  const start = piece.slice(0, START);
  for (let at = within.indexOf(start, from); at !== -1; at = within.indexOf(start, at + 1)) {
    if (within.slice(at, at + piece.length) === piece) return at;
  }
  return undefined;
}

function parsed(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return null;
  }
}
