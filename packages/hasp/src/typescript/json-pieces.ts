import type { JsonValue } from "@hasp/schema";
import { brokenJson, type KnownTexts } from "./data-literal.js";

/**
 * Large JSON files are put together from pieces of text that were made tool by tool. A piece is printed for the place where
 * it will stand: `indent` is the indentation of the line on which it begins. Objects and lists in it are always broken at
 * their outermost level, which prettier leaves as it is, so that a piece does not depend on the room beside its key. `known`
 * remembers the texts of objects that stand in several pieces.
 */
export function jsonPiece(value: JsonValue, indent: number, known?: KnownTexts): string {
  return brokenJson(value, indent, known);
}

/** A list of pieces, which were printed for an indentation of 2, as the text of a file. */
export function listOfPieces(pieces: readonly string[]): string {
  return pieces.length === 0 ? "[]\n" : `[\n${pieces.map((piece) => `  ${piece}`).join(",\n")}\n]\n`;
}

/** An object of pieces, which were printed for an indentation of two more than `indent`, the object's own. */
export function recordOfPieces(entries: readonly (readonly [key: string, piece: string])[], indent: number): string {
  if (entries.length === 0) return "{}";
  const margin = " ".repeat(indent + 2);
  return `{\n${entries.map(([key, piece]) => `${margin}${JSON.stringify(key)}: ${piece}`).join(",\n")}\n${" ".repeat(indent)}}`;
}
