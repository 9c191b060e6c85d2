import { FILE_HEADERS_ONLY, formatPatch, structuredPatch } from "diff";

/** With more edits, finding the shortest difference costs more than it gains. */
const EDITS_LIMIT = 2000;

/** Compares two texts like `diff -u`, ignoring line endings; empty if they are the same. */
export function unifiedDiff(path: string, before: string, after: string): string {
  const [left, right] = [before.replaceAll("\r\n", "\n"), after.replaceAll("\r\n", "\n")];
  if (left === right) return "";
  const options = { context: 3, maxEditLength: EDITS_LIMIT };
  // If too much differs, both texts are shown completely.
  const patch = structuredPatch(path, path, left, right, "", "", options) ?? {
    ...structuredPatch(path, path, left, "", "", ""),
    hunks: [left, right].flatMap((text, index) =>
      index === 0
        ? structuredPatch(path, path, text, "", "", "").hunks
        : structuredPatch(path, path, "", text, "", "").hunks,
    ),
  };
  return formatPatch(patch, FILE_HEADERS_ONLY).trimEnd();
}
