import type { SourceText } from "../../../compiler/src/model/document.js";
import type { FileChange } from "../model/project-edit.js";

/** Finds the smallest replacement that turns one text into another. */
export function textChange({ uri, text }: SourceText, after: string): FileChange {
  const shorter = Math.min(text.length, after.length);
  let start = 0;
  while (start < shorter && text[start] === after[start]) start += 1;
  let same = 0;
  while (same < shorter - start && text[text.length - 1 - same] === after[after.length - 1 - same]) same += 1;
  return {
    kind: "replace",
    span: { uri, start, end: text.length - same },
    text: after.slice(start, after.length - same),
  };
}
