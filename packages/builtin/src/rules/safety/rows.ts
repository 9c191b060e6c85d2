import { createValidator } from "@hasp/schema";
import {
  createInputFinder,
  listExpressionRows,
  findUntriedAnswers,
  holds,
  proveRows,
  shortText,
} from "@hasp/compiler/conditions";
import { reporting, spec, defineRule, type Rule } from "@hasp/compiler/plugin";

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
      reporting("never")`
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
    ],
    good: [
      spec`
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
    for (const { rule, predicate } of listExpressionRows(tool)) {
      if (findUntriedAnswers(predicate, [], tool.input.schema).includes(true)) continue;
      const location = tool.locate(`/concurrency/rules/${rule.index}/when`);
      report("never", { location }, { row: rule.index + 1 });
    }
  },
});

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
      reporting("untested")`
        name: copy
        description: Copy.
        input: { type: object, required: [mode], properties: { mode: { enum: [read, write] } } }
        concurrency: { rules: [{ when: input.mode == 'read', class: READ_ONLY }] }
        tests: [{ input: { mode: write }, expect: { class: UNSAFE } }]
      `,
    ],
    good: [
      spec`
        name: copy
        description: Copy.
        input: { type: object, required: [mode], properties: { mode: { enum: [read, write] } } }
        concurrency: { rules: [{ when: input.mode == 'read', class: READ_ONLY }] }
        tests: [{ input: { mode: read }, expect: { class: READ_ONLY } }]
      `,
    ],
  },
  checkTool(tool, { report }) {
    const rows = listExpressionRows(tool);
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
      reporting("shadowed")`
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
    ],
    good: [
      spec`
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
    const rows = listExpressionRows(tool);
    const proofs = proveRows(tool);
    const findInput = createInputFinder(tool);
    for (const [position, { rule, predicate }] of rows.entries()) {
      const proof = proofs[position];
      if (proof?.matches !== true || proof.decides) continue;
      // For every input that the row matches, an earlier row decides.
      const expressions = [predicate, ...rows.slice(0, position).map((row) => row.predicate)].map(
        ({ expression }) => expression,
      );
      const isMatched = (input: Parameters<typeof holds>[1]): boolean => holds(predicate, input);
      const witness = findInput(expressions.slice(0, 1), isMatched) ?? findInput(expressions, isMatched);
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

export const keyWithoutWriter: Rule = defineRule({
  id: "safety/key-without-writer",
  severity: "warning",
  summary: "A tool with a resource key has calls of class WRITE_EXCLUSIVE.",
  why:
    "The key decides which WRITE_EXCLUSIVE calls may run in parallel, and no others. Without such calls it has no " +
    "effect, and its reader relies on an order that does not exist.",
  messages: {
    useless: "The key has no effect: no call of this tool is WRITE_EXCLUSIVE. Remove it, or correct the class.",
  },
  examples: {
    bad: [
      reporting("useless")`
        name: copy
        description: Copy.
        input: { type: object, required: [path], properties: { path: { type: string } } }
        concurrency: { class: READ_ONLY, key: input.path }
      `,
    ],
    good: [
      spec`
        name: copy
        description: Copy.
        input: { type: object, required: [path], properties: { path: { type: string } } }
        concurrency: { class: WRITE_EXCLUSIVE, key: input.path }
      `,
    ],
  },
  checkTool(tool, { report }) {
    const { key } = tool.spec.concurrency ?? {};
    const classes = [tool.metadata.concurrency.class, ...tool.rules.map((rule) => rule.class)];
    if (key === undefined || classes.includes("WRITE_EXCLUSIVE")) return;
    report("useless", { location: tool.locate("/concurrency/key") });
  },
});
