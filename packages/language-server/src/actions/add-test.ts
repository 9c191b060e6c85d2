import { exampleInput } from "../../../compiler/src/ledger/index.js";
import { pointerTokens } from "../../../compiler/src/model/json-pointer.js";
import { classifierOf } from "../../../compiler/src/run/classify.js";
import type { Offer } from "./code-actions.js";
import { insertItem } from "./insert-item.js";
import { textChange } from "./text-change.js";

/** Adds a test that reaches an untested row of the decision table. */
export const addTest: Offer = ({ project, document, finding }) => {
  const tool = project.compiled?.result.tools.find(({ name }) => name === finding.tool);
  if (finding.code !== "safety/untested-row" || tool === undefined || document.uri !== tool.document.uri) return [];
  const inside = finding.location?.pointer.slice(tool.pointer.length) ?? "";
  const row = /^\/concurrency\/rules\/\d+/u.exec(inside)?.[0];
  const input =
    row === undefined ? undefined : exampleInput(tool, { claim: "", pointer: row, covers: { kind: "input" } });
  if (input === undefined) return [];
  const expected = classifierOf(tool)(input).answer;
  const after = insertItem(document, pointerTokens(tool.pointer), "tests", {
    input,
    expect: { class: expected.class },
  });
  if (after === undefined) return [];
  return [
    {
      title: "Add a test that reaches this row",
      finding,
      isPreferred: false,
      edit: { changes: [textChange(document, after)] },
    },
  ];
};
