import { combinations, expressionRows, findInput, holds, shortText, testedFields } from "../../cel/index.js";
import { yaml } from "../reading/example-spec.js";
import { defineRule, type Rule } from "../rule.js";

export const rowShadowed: Rule = defineRule({
  id: "safety/row-shadowed",
  group: "safety",
  severity: "error",
  summary: "No row of a decision table stands behind rows that take all its inputs.",
  why:
    "The first row that matches decides. A row behind others that match whatever it would match is dead, and whoever reads it " +
    "believes in a protection or a relaxation that is not there. Reported only where it is proved, with an input that shows it.",
  messages: {
    shadowed:
      "Row {row} never decides: earlier rows take every input that it matches, row {earlier} for instance takes {input}. Move it up or remove it.",
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
