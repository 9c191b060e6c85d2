import type { Location, Position } from "./diagnostic.js";

const START: Position = { offset: 0, line: 1, column: 1 };

/** Locates a whole file, or one position in it. */
export function locationIn(uri: string, at: Position = START): Location {
  return { uri, range: { start: at, end: at }, pointer: "" };
}
