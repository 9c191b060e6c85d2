import { canonicalText } from "@hasp/schema";
import { parseSource } from "../../../compiler/src/phases/1-load/index.js";
import { findingPhases } from "../../../compiler/src/diagnostics/finding-phases.js";
import { groupName } from "../../../compiler/src/diagnostics/rule-groups.js";
import type { Offer } from "./code-actions.js";

/**
 * Adds a comment that suppresses a rule on the finding's line. The author must write the reason, which is a finding
 * until
 * then. Offers nothing where comments cannot be, as in JSON and inside multi-line texts.
 */
export const suppressFinding: Offer = ({ document, finding }) => {
  const { code, location } = finding;
  const isOfRule = finding.fixed !== true && !findingPhases.has(groupName({ id: code }));
  if (!isOfRule || location === undefined || document.uri.endsWith(".json")) return [];
  const { text, uri } = document;
  const start = text.lastIndexOf("\n", location.range.start.offset - 1) + 1;
  const indentation = /^\s*/u.exec(text.slice(start))?.[0] ?? "";
  const lineBreak = text.includes("\r\n") ? "\r\n" : "\n";
  const comment = `${indentation}# hasp-ignore ${code} -- ${lineBreak}`;
  const after = text.slice(0, start) + comment + text.slice(start);
  const [before, changed] = [parseSource(document).value, parseSource({ ...document, text: after }).value];
  const isSame =
    before !== undefined && changed !== undefined && canonicalText(before.value) === canonicalText(changed.value);
  if (!isSame) return [];
  return [
    {
      title: `Suppress ${code} here: write the reason`,
      finding,
      isPreferred: false,
      edit: { changes: [{ kind: "replace", span: { uri, start, end: start }, text: comment }] },
    },
  ];
};
