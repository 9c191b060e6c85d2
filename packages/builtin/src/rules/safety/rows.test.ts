import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonSchema } from "@hasp/schema";
import { combineValues, listExpressionRows, holds, findTestedFields, proveRows } from "@hasp/compiler/conditions";
import { createPredicateCompiler, findFirstUnprovedRow } from "@hasp/compiler/conditions";
import { flatTool } from "../../../../../test/compiler/flat-tool.testing.js";
import type { FlatTool } from "@hasp/compiler";

const atom = fc.oneof(
  fc.constantFrom("a", "b", "c", "d").map((key) => `input.key == '${key}'`),
  fc.constantFrom("input.key in ['a', 'b']", "input.isDry", "has(input.note)", "input.isDry && !input.isDry"),
  fc.integer({ min: 0, max: 3 }).map((count) => `input.count > ${count}`),
  fc.constant("input.key.startsWith('a')"),
);
const INPUT: JsonSchema = {
  type: "object",
  required: ["key", "count", "isDry"],
  properties: {
    key: { type: "string" },
    count: { type: "integer" },
    isDry: { type: "boolean" },
    note: { type: "string" },
  },
};
const compile = createPredicateCompiler(INPUT);
const condition = fc
  .oneof(
    atom,
    fc.tuple(atom, fc.constantFrom("&&", "||"), atom).map((parts) => parts.join(" ")),
  )
  .filter((source) => compile(source).predicate !== undefined);

function toolWith(conditions: readonly string[]): FlatTool {
  return flatTool({
    name: "pick",
    description: "Picks.",
    input: INPUT,
    concurrency: { rules: conditions.map((when) => ({ when, class: "READ_ONLY" as const })) },
  });
}

test("proves the same about a row as the table up to that row does", () => {
  fc.assert(
    fc.property(fc.array(condition, { minLength: 1, maxLength: 8 }), (conditions) => {
      const tool = toolWith(conditions);
      const all = listExpressionRows(tool);
      const proofs = proveRows(tool);
      for (const [position, own] of all.entries()) {
        const rows = all.slice(0, position + 1);
        const { fields, isExhaustive } = findTestedFields(
          rows.map(({ predicate }) => predicate.expression),
          tool.input.schema,
        );
        const matching = [...combineValues({}, fields)].filter((input) => holds(own.predicate, input));
        const decides = matching.some((input) => rows.find(({ predicate }) => holds(predicate, input)) === own);
        expect(proofs[position]).toEqual(isExhaustive ? { matches: matching.length > 0, decides } : undefined);
      }
    }),
  );
});

/** Counts the conditions that a proof of a tool's rows evaluates. */
function countEvaluations(tool: FlatTool): { readonly asked: number; readonly proofs: ReturnType<typeof proveRows> } {
  let asked = 0;
  const rules = tool.rules.map((rule) => {
    const { when } = rule;
    if (when.kind !== "expression") throw new Error("no expression");
    const evaluate = (input: unknown): boolean => {
      asked += 1;
      return when.evaluate(input);
    };
    return { ...rule, when: { ...when, evaluate } };
  });
  const proofs = proveRows({ ...tool, rules });
  return { asked, proofs };
}

test("asks each row of a large table once per value", () => {
  const keys = Array.from({ length: 400 }, (_, index) => `input.key == 'k${index}'`);
  const { asked, proofs } = countEvaluations(toolWith([...keys, ...keys.slice(0, 10)]));
  expect(proofs.map(({ decides }) => decides)).toEqual([
    ...keys.map(() => true),
    ...keys.slice(0, 10).map(() => false),
  ]);
  expect(asked).toBeLessThanOrEqual(410 * 401);
});

test("proves as many rows of a very large table as a million evaluations allow, and names the next one", () => {
  const keys = Array.from({ length: 2000 }, (_, index) => `input.key == 'k${index}'`);
  const tool = toolWith(keys);
  const { asked, proofs } = countEvaluations(tool);
  expect(asked).toBeLessThanOrEqual(1_000_000);
  expect(proofs.length).toBeGreaterThan(900);
  expect(proofs.every(({ decides }) => decides)).toBe(true);
  expect(findFirstUnprovedRow(tool)?.rule.index).toBe(proofs.length);
});

test("names no row where a condition, and not the length of the table, prevents a proof", () => {
  const keys = Array.from({ length: 400 }, (_, index) => `input.key == 'k${index}'`);
  expect(findFirstUnprovedRow(toolWith(keys))).toBeUndefined();
  const open = toolWith([...keys.slice(0, 300), "input.key.startsWith('a')", ...keys.slice(300)]);
  expect(proveRows(open)).toHaveLength(300);
  expect(findFirstUnprovedRow(open)).toBeUndefined();
});
