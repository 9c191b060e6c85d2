import fc from "fast-check";
import { createValidator, type JsonSchema, type JsonValue } from "@hasp/schema";
import { FIELD_ENTRIES, isLooser } from "@hasp/runtime/contract";
import { expect, test } from "vitest";
import { completePlan } from "../model/complete-plan.js";
import type { FlatTool } from "../model/tool.js";
import { createClassifier } from "../run/classify.js";
import { compileVersion } from "../../../../test/compiler/context.testing.js";
import { compareVersions } from "./compare-versions.js";
import { findList } from "./diagnostics.js";
import type { Version } from "./version.js";

const RUNS = Number(process.env["HASP_FUZZ_RUNS"] ?? 10);

const PROPERTIES = {
  env: { enum: ["prod", "test", "dev"] },
  mode: { enum: ["read", "write"], default: "write" },
  amount: { type: "integer", minimum: 0, maximum: 1000 },
  name: { type: "string", maxLength: 12 },
  dry: { type: "boolean", default: false },
};

/** Conditions over those fields, some of which no list of samples decides. */
const CONDITIONS = [
  "input.env == 'prod'",
  "input.env in ['test', 'dev']",
  "input.mode == 'read'",
  "input.amount > 500",
  "input.amount <= 500 && input.mode == 'read'",
  "has(input.name) && input.name == 'x'",
  "has(input.name) && size(input.name) > 7",
  "has(input.name) && input.name.startsWith('prod-')",
  "input.dry",
  "!input.dry && input.amount * 3 == 291",
  "custom: isSafe",
  "custom: isProd",
];

interface Row {
  readonly condition: string;
  readonly class: string;
  readonly requiresPermission?: boolean;
}

const row: fc.Arbitrary<Row> = fc.record(
  {
    condition: fc.constantFrom(...CONDITIONS),
    class: fc.constantFrom("UNSAFE", "WRITE_EXCLUSIVE", "READ_ONLY"),
    requiresPermission: fc.boolean(),
  },
  { requiredKeys: ["condition", "class"] },
);

/** One edit of a table. */
const edit: fc.Arbitrary<(rows: readonly Row[]) => readonly Row[]> = fc.oneof(
  fc.nat(9).map((at) => (rows: readonly Row[]) => rows.filter((_, index) => index !== at % Math.max(1, rows.length))),
  fc.tuple(fc.nat(9), fc.nat(9)).map(([from, to]) => (rows: readonly Row[]) => {
    const moved = rows[from % Math.max(1, rows.length)];
    const rest = rows.filter((each) => each !== moved);
    return moved === undefined ? rows : rest.toSpliced(to % (rest.length + 1), 0, moved);
  }),
  fc.tuple(fc.nat(9), row).map(
    ([at, added]) =>
      (rows: readonly Row[]) =>
        rows.toSpliced(at % (rows.length + 1), 0, added),
  ),
  fc.tuple(fc.nat(9), row).map(
    ([at, { class: milder, requiresPermission }]) =>
      (rows: readonly Row[]) =>
        rows.map((each, index) =>
          index === at % rows.length
            ? {
                condition: each.condition,
                class: milder,
                ...(requiresPermission === undefined ? {} : { requiresPermission }),
              }
            : each,
        ),
  ),
);

/** One edit of the input's schema. */
const SCHEMA_EDITS: readonly ((properties: typeof PROPERTIES) => object)[] = [
  (properties) => properties,
  (properties) => ({ ...properties, mode: { ...properties.mode, default: "read" } }),
  (properties) => ({ ...properties, dry: { type: "boolean", default: true } }),
];

async function versionWith(rows: readonly Row[], properties: object): Promise<Version> {
  const rules = rows.map(({ condition, ...answer }) => {
    const [, custom] = /^custom: (.*)$/u.exec(condition) ?? [];
    return { ...(custom === undefined ? { when: condition } : { custom }), ...answer };
  });
  const spec = {
    hasp: 1,
    name: "a",
    description: "Do it.",
    input: { type: "object", required: ["env", "amount"], properties },
    concurrency: { class: "UNSAFE", rules },
  };
  const source = { uri: "a.tool.json", role: "spec", text: JSON.stringify(spec) } as const;
  const { value, diagnostics } = await compileVersion({
    sources: [source],
    plan: completePlan({ unlocked: true, dialects: [] }),
  });
  expect(diagnostics).toEqual([]);
  return value;
}

const inputs = fc.sample(
  fc.record(
    {
      env: fc.constantFrom("prod", "test", "dev"),
      mode: fc.constantFrom("read", "write"),
      amount: fc.constantFrom(0, 97, 500, 501, 1000),
      name: fc.constantFrom("x", "y", "prod-1", "a-long-name"),
      dry: fc.boolean(),
    },
    { requiredKeys: ["env", "amount"] },
  ),
  400,
);

/** True if some input, with some answers of the functions, is answered more mildly. */
function isLoosened(before: FlatTool, after: FlatTool): boolean {
  const fill = [before, after].map(({ input }) => createValidator(input.schema as JsonSchema, { defaults: true }));
  const answer = [before, after].map(createClassifier);
  return inputs.some((input) =>
    [0, 1, 2, 3].some((bits) => {
      const known = new Map([
        ["isSafe", (bits & 1) === 1],
        ["isProd", (bits & 2) === 2],
      ]);
      const [was, is] = [0, 1].map(
        (at) => answer[at]?.(fill[at]?.(input as JsonValue).value, known).answer as unknown as Record<string, unknown>,
      );
      return FIELD_ENTRIES.some(({ name, field }) => name in (is ?? {}) && isLooser(field, is?.[name], was?.[name]));
    }),
  );
}

test("reports an error in the list that loosens if an edit lets a sampled call run more mildly", async () => {
  let loosened = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { minLength: 1, maxLength: 4 }),
      fc.array(edit, { minLength: 1, maxLength: 2 }),
      fc.constantFrom(...SCHEMA_EDITS),
      async (rows, edits, editSchema) => {
        const before = await versionWith(rows, PROPERTIES);
        const after = await versionWith(
          edits.reduce<readonly Row[]>((edited, change) => change(edited), rows),
          editSchema(PROPERTIES),
        );
        const [old, now] = [before.tools[0], after.tools[0]];
        if (old === undefined || now === undefined || !isLoosened(old, now)) return;
        loosened += 1;
        const found = compareVersions(before, after, "base").filter(
          ({ code, severity }) =>
            severity === "error" && findList({ code }) === "loosens" && code !== "diff/covers-changed",
        );
        expect(found).not.toEqual([]);
      },
    ),
    { numRuns: RUNS },
  );
  expect(loosened).toBeGreaterThan(RUNS / 10);
});

test("an edit that only tightens is not in the list that loosens", async () => {
  const stricter: Row = {
    condition: "has(input.name) && size(input.name) > 7",
    class: "UNSAFE",
    requiresPermission: true,
  };
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 3 }), async (rows) => {
      const before = await versionWith(rows, PROPERTIES);
      const after = await versionWith([stricter, ...rows], PROPERTIES);
      const found = compareVersions(before, after, "base").filter(
        ({ code }) => findList({ code }) === "loosens" && code !== "diff/covers-changed",
      );
      expect(found).toEqual([]);
    }),
    { numRuns: RUNS / 2 },
  );
});
