import type { Diagnostic } from "@hasp/base/diagnostics";
import { applyFix, findReplacement } from "@hasp/compiler/edit";
import type { JsonObject } from "@hasp/schema";

/**
 * Finds the edit of a text that repairs a finding: the fix of `hasp check --fix`, or the name or value that the author
 * probably meant.
 */
export function findEdit(
  { code, fix, location, meant }: Diagnostic,
  sources: ReadonlyMap<string, string>,
): JsonObject | undefined {
  const uri = fix?.uri ?? location?.uri ?? "";
  const text = sources.get(uri);
  if (text === undefined) return undefined;
  if (fix !== undefined) {
    const after = applyFix({ uri, role: "spec", text }, fix)?.text;
    return after === undefined ? undefined : { uri, ...findReplacement(text, after) };
  }
  // Nobody approves by an edit.
  if (meant === undefined || location === undefined || code.startsWith("ledger/")) return undefined;
  const [start, end] = [location.range.start.offset, location.range.end.offset];
  // A message may speak of a part of the text, such as one name in a condition.
  const [word, mark = ""] = /^(["']?)[\w$./-]+\1$/u.exec(text.slice(start, end)) ?? [];
  return word === undefined ? undefined : { uri, start, end, text: mark + meant + mark };
}
