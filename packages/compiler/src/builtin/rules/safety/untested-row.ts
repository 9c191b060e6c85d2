import { createValidator } from "@hasp/schema";
import { expressionRows, holds } from "../../../cel/index.js";
import { proveRows } from "../reading/reached-rows.js";
import { yaml } from "../reading/example-spec.js";
import { defineRule, type Rule } from "../../../plugins/rule.js";

export const untestedRow: Rule = defineRule({
  id: "safety/untested-row",
  severity: "info",
  summary: "Every row of a decision table decides some test of the spec.",
  why:
    "A row loosens a default for some calls. A test of the spec pins down which ones, and `hasp test` fails when a later change of the row, " +
    "or of one above it, moves a call to another row.",
  messages: {
    untested: 'Row {row} decides no test of this spec. Add a test under "tests" that expects its class.',
  },
  examples: {
    bad: [
      {
        spec: yaml`
          hasp: 1
          name: copy
          description: Copy.
          input: { type: object, required: [mode], properties: { mode: { enum: [read, write] } } }
          concurrency: { rules: [{ when: input.mode == 'read', class: READ_ONLY }] }
          tests: [{ input: { mode: write }, expect: { class: UNSAFE } }]
        `,
        reports: ["untested"],
      },
    ],
    good: [
      yaml`
        hasp: 1
        name: copy
        description: Copy.
        input: { type: object, required: [mode], properties: { mode: { enum: [read, write] } } }
        concurrency: { rules: [{ when: input.mode == 'read', class: READ_ONLY }] }
        tests: [{ input: { mode: read }, expect: { class: READ_ONLY } }]
      `,
    ],
  },
  checkTool(tool, { report }) {
    const rows = expressionRows(tool);
    // A custom function may decide before any later row.
    if (rows.length === 0 || rows.length < tool.rules.length) return;
    const validate = createValidator(tool.input.schema, { defaults: true });
    const decided = new Set(
      (tool.spec.tests ?? []).flatMap(({ input }) => {
        const { errors, value } = validate(input);
        const row = errors.length > 0 ? undefined : rows.find(({ predicate }) => holds(predicate, value));
        return row === undefined ? [] : [row.rule.index];
      }),
    );
    const proofs = proveRows(tool);
    for (const [position, { rule }] of rows.entries()) {
      // A row that no input reaches has its own finding.
      if (decided.has(rule.index) || proofs[position]?.decides === false) continue;
      const location = tool.locate(`/concurrency/rules/${rule.index}`);
      report("untested", { location }, { row: rule.index + 1 });
    }
  },
});
