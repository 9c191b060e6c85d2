import type { Location, Position, Diagnostic } from "@hasp/base/diagnostics";
import type { SourceSpan } from "./span-map.js";
import { loadDiagnostics } from "./diagnostics.js";

/** A byte order mark, which some editors write first; it is not part of the content. */
export const BYTE_ORDER_MARK = "\uFEFF";

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

/** Finds the offset of the first merge conflict that Git left in a text. */
export function findConflict(text: string): number | undefined {
  const start = lineAt(/^<{7}(?= |\r?$)/gmu, text, 0);
  const middle = start === undefined ? undefined : lineAt(/^={7}(?=\r?$)/gmu, text, start);
  const end = middle === undefined ? undefined : lineAt(/^>{7}(?= |\r?$)/gmu, text, middle);
  return end === undefined ? undefined : start;
}

export function findConflictMarker(uri: string, text: string): Diagnostic | undefined {
  const start = findConflict(text);
  if (start === undefined) return undefined;
  return loadDiagnostics(
    "merge-conflict",
    createLocator(uri, text)({ start, end: text.indexOf("\n", start) }, ""),
    undefined,
  );
}

function lineAt(marker: RegExp, text: string, from: number): number | undefined {
  marker.lastIndex = from;
  return marker.exec(text)?.index;
}

/** Maximum nesting depth. One schema level takes two. */
export const DEPTH_LIMIT = 512;

export const MEGABYTES_LIMIT = 16;

export const MEGABYTE: number = 1024 * 1024;

/** The one key that is refused everywhere: a careless copy changes the object's prototype. */
export const UNSAFE_KEY = "__proto__";
