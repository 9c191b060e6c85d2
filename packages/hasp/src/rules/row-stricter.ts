import type { FlatRule, FlatTool } from "../model/tool.js";
import { expressionRows, findInput, holds, shortText } from "../predicates/index.js";
import { yaml } from "./reading/example-spec.js";
import { defineRule, type Rule } from "./rule.js";

export const rowStricter: Rule = defineRule({
  id: "safety/row-stricter",
  group: "safety",
  severity: "error",
  summary: "A row of a decision table is milder than the tool's own values, never stricter.",
  why:
    "The tool's own values hold where no row matches: they are the answer for the input that nobody thought of, so they must be " +
    "the strictest. A table that begins mild and tightens by rows fails open on the first case that its author forgot.",
  messages: {
    stricter: (p: { row: number; value: string; own: string; input: string }) =>
      `Row ${p.row} says ${p.value} where the tool itself says ${p.own}, for ${p.input} among others. Give the tool the strict value and let rows relax it.`,
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
        const tightened = firstTightened(rule, tool);
        if (tightened === undefined) continue;
        const earlier = rows.slice(0, position);
        const expressions = [...earlier, { predicate }].map((row) => row.predicate.expression);
        const witness = findInput(
          tool,
          expressions,
          (input) => holds(predicate, input) && !earlier.some((row) => holds(row.predicate, input)),
        );
        if (witness === undefined) continue;
        const location = tool.locate(`/concurrency/rules/${rule.index}/${tightened.key}`);
        const { value, own } = tightened;
        report("stricter", { tool, location }, { row: rule.index + 1, value, own, input: shortText(witness) });
      }
    }
  },
});

const CLASSES = ["READ_ONLY", "WRITE_EXCLUSIVE", "UNSAFE"] as const;
const STRICT = { isDestructive: true, requiresPermission: true, isReadOnly: false, isIdempotent: false } as const;

/** The first value of a row that is stricter than the tool's own. */
function firstTightened(
  rule: FlatRule,
  { metadata }: FlatTool,
): { readonly key: string; readonly value: string; readonly own: string } | undefined {
  const ownClass = metadata.concurrency.class;
  if (CLASSES.indexOf(rule.class) > CLASSES.indexOf(ownClass)) return { key: "class", value: `class: ${rule.class}`, own: ownClass };
  for (const flag of ["isDestructive", "requiresPermission", "isReadOnly", "isIdempotent"] as const) {
    const own = metadata.behavior[flag];
    if (rule[flag] === STRICT[flag] && own !== STRICT[flag]) {
      return { key: flag, value: `${flag}: ${String(rule[flag])}`, own: String(own) };
    }
  }
  return undefined;
}
