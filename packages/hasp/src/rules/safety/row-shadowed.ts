import { combinations, expressionRows, findInput, holds, shortText, testedFields } from "../../cel/index.js";
import { yaml } from "../reading/example-spec.js";
import { defineRule, type Rule } from "../rule.js";

export const rowShadowed: Rule = defineRule({
  id: "safety/row-shadowed",
  group: "safety",
  severity: "error",
  summary: "Every row of a decision table decides some input.",
  why:
    "The first row that matches decides. A row after others that match all of its inputs has no effect, and its reader " +
    "relies on a protection or a relaxation that does not exist. Reported only if it is proved, with an input that shows it.",
  messages: {
    shadowed:
      "Row {row} never decides, because earlier rows match all of its inputs: row {earlier} matches {input}, for example. Move it up or remove it.",
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
            required: [mode]
            properties: { mode: { enum: [read, list, write] }, dry: { type: boolean } }
          concurrency:
            rules:
              - { when: "input.mode in ['read', 'list']", class: READ_ONLY }
              - { when: "input.mode == 'read' && has(input.dry)", class: WRITE_EXCLUSIVE }
        `,
        reports: ["shadowed"],
      },
    ],
    good: [
      yaml`
        hasp: 1
        name: copy
        description: Copy.
        input:
          type: object
          required: [mode]
          properties: { mode: { enum: [read, list, write] }, dry: { type: boolean } }
        concurrency:
          rules:
            - { when: "input.mode == 'read' && has(input.dry)", class: WRITE_EXCLUSIVE }
            - { when: "input.mode in ['read', 'list']", class: READ_ONLY }
      `,
    ],
  },
  check({ tools }, report) {
    for (const tool of tools) {
      const rows = expressionRows(tool);
      for (const [position, { rule, predicate }] of rows.entries()) {
        const earlier = rows.slice(0, position);
        const expressions = [...earlier.map((row) => row.predicate.expression), predicate.expression];
        const { fields, isExhaustive } = testedFields(expressions, tool.input.schema);
        if (earlier.length === 0 || !isExhaustive) continue;
        const isTaken = (input: Parameters<typeof holds>[1]): boolean =>
          earlier.some((row) => holds(row.predicate, input));
        const matching = [...combinations({}, fields)].filter((input) => holds(predicate, input));
        if (matching.length === 0 || !matching.every(isTaken)) continue;
        const witness = findInput(tool, expressions, (input) => holds(predicate, input) && isTaken(input));
        const taker = earlier.find((row) => witness !== undefined && holds(row.predicate, witness));
        if (witness === undefined || taker === undefined) continue;
        const related = [
          { location: tool.locate(`/concurrency/rules/${taker.rule.index}`), message: "this row decides" },
        ];
        const location = tool.locate(`/concurrency/rules/${rule.index}`);
        const parameters = { row: rule.index + 1, earlier: taker.rule.index + 1, input: shortText(witness) };
        report("shadowed", { tool, location, related }, parameters);
      }
    }
  },
});
