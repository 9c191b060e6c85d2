import { expressionRows, findInput, holds, shortText } from "../../../cel/index.js";
import { proveRows } from "../reading/reached-rows.js";
import { yaml } from "../reading/example-spec.js";
import { defineRule, type Rule } from "../../../plugins/rule.js";

export const rowShadowed: Rule = defineRule({
  id: "safety/row-shadowed",
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
  checkTool(tool, { report }) {
    const rows = expressionRows(tool);
    const proofs = proveRows(tool);
    for (const [position, { rule, predicate }] of rows.entries()) {
      const proof = proofs[position];
      if (proof?.matches !== true || proof.decides) continue;
      // For every input that the row matches, an earlier row decides.
      const expressions = [predicate, ...rows.slice(0, position).map((row) => row.predicate)].map(
        ({ expression }) => expression,
      );
      const isMatched = (input: Parameters<typeof holds>[1]): boolean => holds(predicate, input);
      const witness = findInput(tool, expressions.slice(0, 1), isMatched) ?? findInput(tool, expressions, isMatched);
      const taker = rows.slice(0, position).find((row) => witness !== undefined && holds(row.predicate, witness));
      if (witness === undefined || taker === undefined) continue;
      const related = [
        { location: tool.locate(`/concurrency/rules/${taker.rule.index}`), message: "this row decides" },
      ];
      const location = tool.locate(`/concurrency/rules/${rule.index}`);
      const parameters = { row: rule.index + 1, earlier: taker.rule.index + 1, input: shortText(witness) };
      report("shadowed", { location, related }, parameters);
    }
  },
});
