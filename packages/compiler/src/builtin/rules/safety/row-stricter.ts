import { expressionRows, findDecidedInput, shortText } from "../../../cel/index.js";
import { yaml } from "../reading/example-spec.js";
import { classifyTool, findStricterValue } from "../reading/classification.js";
import { defineRule, type Rule } from "../../../plugins/rule.js";

export const rowStricter: Rule = defineRule({
  id: "safety/row-stricter",
  severity: "error",
  summary: "The rows of a decision table relax the tool's own values and never tighten them.",
  why:
    "The tool's own values apply if no row matches. They decide the inputs that nobody thought of, so they must be " +
    "the strictest. A table that starts mild and tightens row by row fails open on the first case that its author forgot.",
  messages: {
    stricter:
      "Row {row} sets {value} where the tool itself has {own}, for {input} among others. Give the tool the strict value and relax it in rows.",
  },
  examples: {
    bad: [
      {
        spec: yaml`
          hasp: 1
          name: copy
          description: Copy.
          input: { type: object, required: [mode], properties: { mode: { enum: [read, write] } } }
          concurrency:
            class: READ_ONLY
            rules: [{ when: input.mode == 'write', class: UNSAFE, isDestructive: true }]
        `,
        reports: ["stricter"],
      },
    ],
    good: [
      yaml`
        hasp: 1
        name: copy
        description: Copy.
        input: { type: object, required: [mode], properties: { mode: { enum: [read, write] } } }
        concurrency:
          class: UNSAFE
          rules: [{ when: input.mode == 'read', class: READ_ONLY }]
      `,
    ],
  },
  checkTool(tool, { report }) {
    const rows = expressionRows(tool);
    for (const own of rows) {
      const { rule } = own;
      const [row, base] = [classifyTool(tool, rule), classifyTool(tool)];
      const tightened = findStricterValue(row, base);
      if (tightened === undefined) continue;
      const witness = findDecidedInput(tool, rows, own);
      if (witness === undefined) continue;
      const location = tool.locate(`/concurrency/rules/${rule.index}/${tightened}`);
      const value = `${tightened}: ${String(row[tightened])}`;
      report(
        "stricter",
        { location },
        { row: rule.index + 1, value, own: String(base[tightened]), input: shortText(witness) },
      );
    }
  },
});
