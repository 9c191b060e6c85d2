import type { Diagnostic } from "@hasp/base/diagnostics";
import { applyFix } from "@hasp/compiler/edit";
import type { JsonObject } from "@hasp/schema";

/**
 * Finds the edit of a text that repairs a finding: the fix of `hasp check --fix`, or the name or value that the author
 * probably meant.
 */
export function findEdit(
  { code, fix, location, message }: Diagnostic,
  sources: ReadonlyMap<string, string>,
): JsonObject | undefined {
  const uri = fix?.uri ?? location?.uri ?? "";
  const text = sources.get(uri);
  if (text === undefined) return undefined;
  if (fix !== undefined) {
    const after = applyFix({ uri, role: "spec", text }, fix)?.text;
    if (after === undefined) return undefined;
    let start = 0;
    while (start < after.length && text[start] === after[start]) start += 1;
    let kept = 0;
    while (kept < Math.min(text.length, after.length) - start && text.at(-1 - kept) === after.at(-1 - kept)) kept += 1;
    return { uri, start, end: text.length - kept, text: after.slice(start, after.length - kept) };
  }
  const [, meant] = /Did you mean "([^"\n]+)"\?/u.exec(message) ?? [];
  // Nobody approves by an edit.
  if (meant === undefined || location === undefined || code.startsWith("ledger/")) return undefined;
  const [start, end] = [location.range.start.offset, location.range.end.offset];
  // A message may speak of a part of the text, such as one name in a condition.
  const [word, mark = ""] = /^(["']?)[\w$./-]+\1$/u.exec(text.slice(start, end)) ?? [];
  return word === undefined ? undefined : { uri, start, end, text: mark + meant + mark };
}
