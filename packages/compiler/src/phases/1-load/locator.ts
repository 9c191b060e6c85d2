import type { Location, Position } from "../../diagnostics/diagnostic.js";
import type { SourceSpan } from "./span-map.js";

/** A byte order mark, which some editors write first; it is not part of the content. */
export const BYTE_ORDER_MARK = "\uFEFF";

/** Turns offsets into lines and columns. Indexes the lines on first use. */
export function createLocator(uri: string, text: string): (span: SourceSpan, pointer: string) => Location {
  let lineStarts: readonly number[] | undefined;
  const position = (offset: number): Position => {
    lineStarts ??= startsOfLines(text);
    const line = lastNotAfter(lineStarts, offset);
    return { offset, line: line + 1, column: offset - (lineStarts[line] ?? 0) + 1 };
  };
  return (span, pointer) => {
    // YAML ranges include the line break after a block and what follows it.
    let end = Math.min(span.end, text.length);
    while (end > span.start && /\s/u.test(text.charAt(end - 1))) end -= 1;
    return { uri, pointer, range: { start: position(span.start), end: position(end) } };
  };
}

function startsOfLines(text: string): readonly number[] {
  const starts = [text.startsWith(BYTE_ORDER_MARK) ? 1 : 0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/** Returns the index of the last of the ascending numbers that is at most `limit`. */
function lastNotAfter(ascending: readonly number[], limit: number): number {
  let low = 0;
  let high = ascending.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((ascending[middle] ?? 0) <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}
