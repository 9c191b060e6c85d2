import { combinations, expressionRows, holds, testedFields } from "../../../cel/index.js";
import { yaml } from "../reading/example-spec.js";
import { defineRule, type Rule } from "../../../plugins/rule.js";

export const rowNeverMatches: Rule = defineRule({
  id: "safety/row-never-matches",
  severity: "error",
  summary: "Every row of a decision table matches some input.",
  why:
    "A row that no input matches has no effect. Usually its condition is wrong, and another row decides " +
    "the calls that it was written for. It is reported only if trying every combination of " +
    "the relevant values proves it.",
  messages: {
    never: "Row {row} of the table matches no input. Correct its condition or remove it.",
  },
  examples: {
    bad: [
      {
        spec: yaml`
          hasp: 1
          name: copy
          description: Copy.
          input:
            type: object
            required: [mode, count]
            properties: { mode: { enum: [read, write] }, count: { type: integer } }
          concurrency:
            rules:
              - { when: "input.mode == 'read' && input.count < 3 && input.count > 5", class: READ_ONLY }
        `,
        reports: ["never"],
      },
    ],
    good: [
      yaml`
        hasp: 1
        name: copy
        description: Copy.
        input:
          type: object
          required: [mode, path]
          properties: { mode: { enum: [read, write] }, count: { type: integer }, path: { type: string } }
        concurrency:
          rules:
            - { when: "input.mode == 'read' && has(input.count) && input.count > 5", class: READ_ONLY }
            - { when: "input.path.startsWith('/tmp/') && input.path.endsWith('.txt')", class: WRITE_EXCLUSIVE }
      `,
    ],
  },
  checkTool(tool, { report }) {
    for (const { rule, predicate } of expressionRows(tool)) {
      const { fields, isExhaustive } = testedFields([predicate.expression], tool.input.schema);
      if (!isExhaustive || [...combinations({}, fields)].some((input) => holds(predicate, input))) continue;
      const location = tool.locate(`/concurrency/rules/${rule.index}/when`);
      report("never", { location }, { row: rule.index + 1 });
    }
  },
});
