import type { Location, Position } from "./diagnostic.js";

const START: Position = { offset: 0, line: 1, column: 1 };

/** Makes the place of a finding about a file as a whole, or about one position of a file that is not read as text. */
export function locationIn(uri: string, at: Position = START): Location {
  return { uri, range: { start: at, end: at }, pointer: "" };
}
