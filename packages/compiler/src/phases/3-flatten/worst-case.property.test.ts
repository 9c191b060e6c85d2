import { buildTool, type FlagClaim } from "@hasp/runtime";
import { FIELDS, isLooser } from "@hasp/runtime/contract";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { FlatTool } from "../../model/tool.js";
import type { CompiledPredicate } from "../../model/conditions.js";
import { load } from "../1-load/index.js";
import { resolve } from "../2-resolve/index.js";
import { testContext } from "../../../../../test/compiler/context.testing.js";
import { flatten } from "./index.js";

const input = {
  type: "object",
  required: ["mode", "size"],
  properties: { mode: { enum: ["read", "write"] }, size: { type: "integer" }, note: { type: "string" } },
};

/** Conditions that hold, do not hold, and fail, by the input. */
const condition = fc.constantFrom(
  "input.mode == 'read'",
  "input.size > 3",
  "has(input.note) && input.note == 'x'",
  "10 / input.size > 2",
  "has(input.note) && timestamp(input.note) > timestamp('2020-01-01T00:00:00Z')",
);
const optional = <Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.option(arbitrary, { nil: undefined });
const idempotence = fc.constantFrom(true, false, "withKey" as const);
const varying = fc.oneof(
  fc.boolean(),
  condition.map((when) => ({ when })),
  condition.map((unless) => ({ unless })),
);

const rule = fc
  .oneof(
    { weight: 3, arbitrary: condition.map((when) => ({ when })) },
    { weight: 1, arbitrary: fc.constantFrom({ custom: "isFine" }, { custom: "throws" }) },
  )
  .chain((when) =>
    fc
      .record({
        class: fc.constantFrom("UNSAFE", "WRITE_EXCLUSIVE", "READ_ONLY"),
        isDestructive: optional(fc.constant(false)),
        isIdempotent: optional(idempotence),
        requiresPermission: optional(fc.constant(false)),
      })
      .map((rest) => ({ ...when, ...rest })),
  );

const spec = fc.record({
  concurrency: fc.record({
    class: optional(fc.constantFrom("UNSAFE", "WRITE_EXCLUSIVE", "READ_ONLY")),
    rules: fc.array(rule, { maxLength: 3 }),
  }),
  behavior: fc.record({
    isReadOnly: optional(varying),
    isDestructive: optional(varying),
    isIdempotent: optional(
      fc.oneof(
        idempotence,
        condition.map((when) => ({ when })),
      ),
    ),
    requiresPermission: optional(varying),
  }),
});

const call = fc.record(
  {
    mode: fc.constantFrom("read", "write"),
    size: fc.integer({ min: -2, max: 6 }),
    note: fc.constantFrom("x", "y", "2024-01-01T00:00:00Z"),
  },
  { requiredKeys: ["mode", "size"] },
);

function evaluator(predicate: CompiledPredicate): (input: unknown) => boolean {
  if (predicate.kind === "expression") return (value) => predicate.evaluate(value);
  return () => {
    if (predicate.name === "throws") throw new Error("custom");
    return true;
  };
}

/**
 * The runtime's own tool, made of what the compiler understood. `undefined` where the runtime refuses the definition.
 */
function runtimeTool(tool: FlatTool): ReturnType<typeof buildTool> | undefined {
  const flags = Object.fromEntries(
    tool.flags.map(({ flag, polarity, predicate }): [string, FlagClaim<boolean, unknown>] => {
      const judge = evaluator(predicate);
      return [flag, polarity === "when" ? { when: judge } : { unless: judge }];
    }),
  );
  try {
    return buildTool({
      name: tool.name,
      description: tool.spec.description,
      input: tool.input.schema,
      concurrency: {
        class: tool.metadata.concurrency.class,
        rules: tool.rules.map(({ when, index: _index, ...rest }) => ({ ...rest, when: evaluator(when) })),
      },
      behavior: { ...tool.metadata.behavior, ...flags },
      execute: () => undefined,
    });
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

test("no call is ever classified more strictly than the worst case says", () => {
  let compared = 0;
  fc.assert(
    fc.property(spec, fc.array(call, { minLength: 3, maxLength: 8 }), (stated, calls) => {
      const text = JSON.stringify({ hasp: 1, name: "a", description: "A.", input, ...stated });
      const documents = load([{ uri: "a.tool.json", text, role: "spec" }]).value;
      const context = testContext({ documents });
      const [tool] = flatten(resolve(documents, context).value, context).value.tools;
      const built = tool === undefined ? undefined : runtimeTool(tool);
      if (tool === undefined || built === undefined) return;
      const { worstCase } = tool;
      for (const each of calls) {
        compared += 1;
        const actual = built.classify(each);
        const label = JSON.stringify({ stated, each, actual, worstCase });
        expect(isLooser(FIELDS.concurrency.class, worstCase.class, actual.class), label).toBe(false);
        if (worstCase.isReadOnly) expect(actual.isReadOnly, label).toBe(true);
        if (!worstCase.isDestructive) expect(actual.isDestructive, label).toBe(false);
        if (worstCase.isIdempotent) expect(actual.isIdempotent, label).toBe(true);
        if (!worstCase.requiresPermission) expect(actual.requiresPermission, label).toBe(false);
      }
    }),
    { numRuns: Number(process.env["HASP_FUZZ_RUNS"] ?? 100) },
  );
  expect(compared).toBeGreaterThan(100);
});
