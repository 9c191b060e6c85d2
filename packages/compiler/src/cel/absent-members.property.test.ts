import { Environment } from "@marcbachmann/cel-js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createValidator, type JsonSchema, type JsonValue, type SchemaObject } from "@hasp/schema";
import { importPrinted, outcomeOf } from "./import-printed.testing.js";
import { createPredicateCompiler } from "./compile-predicate.js";
import type { ExpressionPredicate } from "../model/conditions.js";

const name = fc.constantFrom("kind", "x", "env-1");
const leaf: fc.Arbitrary<SchemaObject> = fc.constantFrom<SchemaObject>(
  { type: "string" },
  { type: ["string", "integer"] },
  { const: "p" },
  { const: "q" },
  { enum: ["p", "q"] },
  { type: "string", default: "p" },
);

const base = fc
  .record({
    properties: fc.dictionary(name, leaf, { minKeys: 1, maxKeys: 3, noNullPrototype: true }),
    optional: fc.uniqueArray(name, { maxLength: 2 }),
  })
  .map(({ properties, optional }) => ({
    properties,
    required: Object.keys(properties).filter((key) => !optional.some((each) => each === key)),
  }));

/** One keyword by which a property can enter, or a union of branches that declare some. */
function applicator(branch: fc.Arbitrary<SchemaObject>): fc.Arbitrary<SchemaObject> {
  const branches = fc.array(branch, { minLength: 2, maxLength: 3 });
  return fc.oneof(
    { arbitrary: branches.map((anyOf) => ({ anyOf })), weight: 4 },
    { arbitrary: branches.map((oneOf) => ({ oneOf })), weight: 4 },
    branch.map((each) => ({ allOf: [each] })),
    fc.tuple(fc.constantFrom("^x", "^[ek]", "-"), leaf).map(([key, each]) => ({ patternProperties: { [key]: each } })),
    fc.oneof(fc.constant(false), leaf).map((additionalProperties) => ({ additionalProperties })),
    fc.tuple(name, branch).map(([key, each]) => ({ dependentSchemas: { [key]: each } })),
    fc.tuple(branch, branch, branch).map(([test, yes, no]) => ({ if: test, then: yes, else: no })),
  );
}

function objectSchema(depth: number): fc.Arbitrary<SchemaObject> {
  if (depth === 0) return base;
  const applicators = fc.array(applicator(objectSchema(depth - 1)), { minLength: depth - 1, maxLength: 2 });
  return fc.tuple(base, applicators).map(([each, others]) => Object.assign({}, each, ...others) as SchemaObject);
}

const schema: fc.Arbitrary<SchemaObject> = fc
  .tuple(objectSchema(2), fc.constantFrom({ unevaluatedProperties: false }, { unevaluatedProperties: false }, {}))
  .map(([each, closing]) => ({ type: "object", ...each, ...closing }));

const literal = fc.constantFrom("'p'", "'q'");
const read = name.map((each) => (each.includes("-") ? `input['${each}']` : `input.${each}`));
const presence = name.map((each) => (each.includes("-") ? `present(input, '${each}')` : `has(input.${each})`));
const comparison = fc.oneof(
  fc.tuple(read, fc.constantFrom("==", "!="), literal).map((parts) => parts.join(" ")),
  read.map((field) => `${field} in ['p', 'q']`),
);
const guarded = fc.tuple(fc.oneof(presence, comparison), comparison).map(([guard, each]) => `(${guard} && ${each})`);
const { condition } = fc.letrec<{ condition: string }>((tie) => ({
  condition: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    guarded,
    fc.tuple(presence, comparison).map(([guard, each]) => `(!${guard} || ${each})`),
    fc.tuple(guarded, fc.constantFrom("&&", "||"), tie("condition")).map((parts) => `(${parts.join(" ")})`),
    fc.tuple(presence, tie("condition"), comparison).map(([guard, yes, no]) => `(${guard} ? ${yes} : ${no})`),
    tie("condition").map((each) => `!(${each})`),
  ),
}));

/** Every input over the names and a few values. */
const INPUTS = ["kind", "x", "env-1"].reduce<readonly { readonly [key: string]: JsonValue }[]>(
  (inputs, key) => inputs.flatMap((each) => [each, ...["p", "q", 1].map((value) => ({ ...each, [key]: value }))]),
  [{}],
);

const SEED = 20_261_122;
const RUNS = Number(process.env["HASP_FUZZ_RUNS"] ?? 20);

interface Case {
  readonly schema: JsonSchema;
  readonly predicate: ExpressionPredicate;
  readonly inputs: readonly { readonly [key: string]: JsonValue }[];
}

function sampledCases(): readonly Case[] {
  const schemas = fc.sample(fc.tuple(schema, fc.array(condition, { minLength: 15, maxLength: 15 })), {
    seed: SEED,
    numRuns: RUNS,
  });
  return schemas.flatMap(([each, conditions]) => {
    const validate = createValidator(each, { defaults: true });
    const valid = INPUTS.flatMap((value) => {
      const result = validate(value);
      return result.valid ? [result.value as { readonly [key: string]: JsonValue }] : [];
    });
    if (valid.length === 0) return [];
    return conditions.flatMap((source) => {
      const { predicate } = createPredicateCompiler(each)(source);
      return predicate === undefined ? [] : [{ schema: each, predicate, inputs: valid }];
    });
  });
}

test("no accepted condition reads an absent member of a valid input, and all three evaluators agree", async () => {
  const cases = sampledCases();
  const printed = await importPrinted(cases.map(({ predicate }) => predicate));
  const library = new Environment()
    .registerVariable("input", "dyn")
    .registerFunction(
      "present(dyn, string): bool",
      (holder: unknown, key: string) => typeof holder === "object" && holder !== null && Object.hasOwn(holder, key),
    );
  let several = 0;
  for (const [index, { schema: each, predicate, inputs }] of cases.entries()) {
    const reference = library.parse(predicate.source);
    if (/has|present|==/u.test(predicate.source) && predicate.reads.length > 1) several += 1;
    for (const value of inputs) {
      const answers = [
        outcomeOf(() => predicate.evaluate(value)),
        outcomeOf(() => printed[index]?.(value)),
        outcomeOf(() => reference({ input: forLibrary(value) }) as unknown),
      ];
      if (answers[0] !== "error" && new Set(answers).size === 1) continue;
      expect.fail(JSON.stringify([each, predicate.source, value, answers]));
    }
  }
  expect(several).toBeGreaterThan(25);
});

function forLibrary(value: { readonly [key: string]: JsonValue }): object {
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, typeof each === "number" ? BigInt(each) : each]),
  );
}

test("emitted code throws where it reads an absent member, so that a mistake of the checker is strict", async () => {
  const declared: JsonSchema = {
    type: "object",
    properties: { x: { type: "string" }, env: { type: "string" } },
    required: ["x", "env"],
  };
  const { predicate } = createPredicateCompiler(declared)("has(input.x) && input.env != 'prod'");
  const [printed] = predicate === undefined ? [] : await importPrinted([predicate]);
  expect(printed?.({ x: "a", env: "test" })).toBe(true);
  for (const value of [{ x: "a" }, { x: "a", env: undefined }, Object.create({ x: "a", env: "test" })]) {
    if (Object.hasOwn(value as object, "x")) expect(() => printed?.(value)).toThrow(/there is no "env"/u);
  }
});

const ways: readonly (readonly [string, SchemaObject])[] = [
  ["patternProperties", { patternProperties: { "^x$": { type: "string" } } }],
  ["an open branch", { anyOf: [{}, { additionalProperties: true }] }],
  ["a typed map in a branch", { anyOf: [{ additionalProperties: { type: "string" } }, {}] }],
  ["dependentSchemas", { dependentSchemas: { kind: { properties: { x: { type: "string" } } } } }],
  ["then", { if: { required: ["kind"] }, then: { properties: { x: { type: "string" } } } }],
  ["else", { if: { required: ["kind"] }, else: { properties: { x: { type: "string" } } } }],
  ["an open object", { unevaluatedProperties: true }],
];

test.each(ways)("a field that can enter by %s does not prove its branch", (_, way) => {
  const branches: SchemaObject = {
    type: "object",
    properties: { kind: { type: "string" } },
    oneOf: [
      { required: ["x", "env"], properties: { x: { type: "string" }, env: { enum: ["prod", "test"] } } },
      { properties: { other: { type: "string" } }, not: { required: ["env"] } },
    ],
    unevaluatedProperties: false,
  };
  const source = "has(input.x) && input.env != 'prod'";
  expect(createPredicateCompiler(branches)(source).problems).toEqual([]);
  const { predicate, problems } = createPredicateCompiler({ ...branches, ...way })(source);
  expect(predicate).toBeUndefined();
  expect(problems.map(({ parameters }) => parameters)).toMatchObject([{ variant: "absent", text: "input.env" }]);
});
