import type { JsonValue } from "@hasp/schema";
import { brokenJson, type KnownTexts } from "./data-literal.js";

/**
 * Large JSON files are put together from pieces of text that were made tool by tool. A piece is printed for the place
 * where it will stand: `indent` is the indentation of the line on which it begins. Objects and lists in it are always
 * broken at their outermost level, which prettier leaves as it is, so that a piece does not depend on the room beside
 * its key. `known` remembers the texts of objects that stand in several pieces.
 */
export function jsonPiece(value: JsonValue, indent: number, known?: KnownTexts): string {
  return brokenJson(value, indent, known);
}

/**
 * A list of pieces, which were printed for an indentation of 2, as the text of a file: those pieces, and what stands
 * between them.
 */
export function listOfPieces(pieces: readonly string[]): readonly string[] {
  if (pieces.length === 0) return ["[]\n"];
  const text: string[] = [];
  for (const piece of pieces) text.push(text.length === 0 ? "[\n  " : ",\n  ", piece);
  text.push("\n]\n");
  return text;
}

/**
 * An object of pieces, which were printed for an indentation of two more than `indent`, the object's own. A value may
 * be of several pieces.
 */
export function recordOfPieces(
  entries: readonly (readonly [key: string, value: string | readonly string[]])[],
  indent: number,
): readonly string[] {
  if (entries.length === 0) return ["{}"];
  const margin = " ".repeat(indent + 2);
  const pieces: string[] = [];
  let before = "{\n";
  for (const [key, value] of entries) {
    pieces.push(`${before}${margin}${JSON.stringify(key)}: `);
    if (typeof value === "string") pieces.push(value);
    else for (const piece of value) pieces.push(piece);
    before = ",\n";
  }
  pieces.push(`\n${" ".repeat(indent)}}`);
  return pieces;
}
