import { FILE_HEADERS_ONLY, formatPatch, structuredPatch } from "diff";

/** Beyond so many edits, finding the shortest difference costs more than its reader gains. */
const EDITS_LIMIT = 2000;

/** The difference of two texts as `diff -u` shows it, line endings aside; empty where they are the same. */
export function unifiedDiff(path: string, before: string, after: string): string {
  const [left, right] = [before.replaceAll("\r\n", "\n"), after.replaceAll("\r\n", "\n")];
  if (left === right) return "";
  const options = { context: 3, maxEditLength: EDITS_LIMIT };
  // Where too much differs, all of the one is shown, and all of the other.
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
