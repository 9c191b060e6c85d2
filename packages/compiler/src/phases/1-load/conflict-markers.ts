import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import { loadDiagnostics } from "./diagnostics.js";
import { createLocator } from "./locator.js";

/**
 * Offset of the first merge conflict that Git left in a text: the start of a line with `<<<<<<<`, followed further down
 * by lines with `=======` and `>>>>>>>`. `undefined` if there is none.
 */
export function findConflict(text: string): number | undefined {
  const start = lineAt(/^<{7}(?= |\r?$)/gmu, text, 0);
  const middle = start === undefined ? undefined : lineAt(/^={7}(?=\r?$)/gmu, text, start);
  const end = middle === undefined ? undefined : lineAt(/^>{7}(?= |\r?$)/gmu, text, middle);
  return end === undefined ? undefined : start;
}

/** The finding about the first merge conflict in a file. */
export function conflictDiagnostic(uri: string, text: string): Diagnostic | undefined {
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
