import { expressionRows, findInput, holds, shortText } from "../../cel/index.js";
import { yaml } from "../reading/example-spec.js";
import { outcomeOf, stricterValue } from "../reading/outcome.js";
import { defineRule, type Rule } from "../rule.js";

export const rowStricter: Rule = defineRule({
  id: "safety/row-stricter",
  group: "safety",
  severity: "error",
  summary: "A row of a decision table is milder than the tool's own values, never stricter.",
  why:
    "The tool's own values hold where no row matches: they are the answer for the input that nobody thought of, so they must be " +
    "the strictest. A table that begins mild and tightens by rows fails open on the first case that its author forgot.",
  messages: {
    stricter:
      "Row {row} says {value} where the tool itself says {own}, for {input} among others. Give the tool the strict value and let rows relax it.",
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
  check({ tools }, report) {
    for (const tool of tools) {
      const rows = expressionRows(tool);
      for (const [position, { rule, predicate }] of rows.entries()) {
        const [row, base] = [outcomeOf(tool, rule), outcomeOf(tool)];
        const tightened = stricterValue(row, base);
        if (tightened === undefined) continue;
        const earlier = rows.slice(0, position);
        const expressions = [...earlier, { predicate }].map((each) => each.predicate.expression);
        const witness = findInput(
          tool,
          expressions,
          (input) => holds(predicate, input) && !earlier.some((above) => holds(above.predicate, input)),
        );
        if (witness === undefined) continue;
        const location = tool.locate(`/concurrency/rules/${rule.index}/${tightened}`);
        const value = `${tightened}: ${String(row[tightened])}`;
        report(
          "stricter",
          { tool, location },
          { row: rule.index + 1, value, own: String(base[tightened]), input: shortText(witness) },
        );
      }
    }
  },
});
