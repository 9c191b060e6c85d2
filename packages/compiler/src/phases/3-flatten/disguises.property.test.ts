import type { JsonSchema, SchemaObject } from "@hasp/schema";
import fc from "fast-check";
import { expect, test } from "vitest";
import { compile } from "../../../../../test/compiler/context.testing.js";
import { completePlan } from "../../model/complete-plan.js";

const RUNS = Number(process.env["HASP_FUZZ_RUNS"] ?? 10);

const plan = completePlan({ today: "2027-01-01" });

/** The input schemas for which `check` asks neither for an approval nor, by an error, which keys are meant. */
async function admitted(inputs: readonly JsonSchema[]): Promise<readonly string[]> {
  const findings = await errorsOf(inputs);
  return inputs.filter((_, index) => !findings[index]?.some((code) => ASKING.has(code))).map(valueOf);
}

/** The input schemas for which `check` finds any error. */
async function stopped(inputs: readonly JsonSchema[]): Promise<readonly string[]> {
  const findings = await errorsOf(inputs);
  return inputs.flatMap((input, index) =>
    findings[index]?.length === 0 ? [] : `${valueOf(input)} ${findings[index]}`,
  );
}

const ASKING: ReadonlySet<string> = new Set(["ledger/not-approved", "schema/bare-object"]);

async function errorsOf(inputs: readonly JsonSchema[]): Promise<readonly (readonly string[])[]> {
  const specs = inputs.map((input, index) => ({
    uri: `t${index}.tool.json`,
    role: "spec" as const,
    text: JSON.stringify({ hasp: 1, name: `t${index}`, description: "Does something.", input }),
  }));
  const { diagnostics } = await compile(specs, plan, { emits: false });
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  return specs.map(({ uri }) => errors.filter(({ location }) => location?.uri === uri).map(({ code }) => code));
}

function valueOf(input: JsonSchema): string {
  return JSON.stringify(typeof input === "object" ? input.properties?.["value"] : input);
}

/** Schemas that accept every value. */
const EVERYTHING: readonly JsonSchema[] = [
  true,
  {},
  { description: "Anything." },
  { default: 1, examples: [1], deprecated: true },
  { minLength: 0 },
  { maxLength: 200 },
  { pattern: "" },
  { pattern: "^a" },
  { format: "color-name" },
  { format: "date-time" },
  { contentMediaType: "text/plain" },
  { contentEncoding: "base64" },
  { minimum: 0, multipleOf: 2 },
  { minItems: 0 },
  { maxItems: 5, uniqueItems: true },
  { minProperties: 0 },
  { maxProperties: 5 },
  { required: ["a"] },
  { propertyNames: { pattern: "^[a-z]+$" } },
  { dependentRequired: { a: ["b"] } },
  { dependentSchemas: { a: { required: ["b"] } } },
  { contains: { type: "string" } },
  { prefixItems: [{ type: "string" }] },
  { items: true },
  { items: { type: "string" } },
  { properties: { a: { type: "string" } } },
  { additionalProperties: { type: "string" } },
  { type: ["array", "boolean", "null", "number", "object", "string"], additionalProperties: { type: "string" } },
  { anyOf: [{ type: "string" }, { not: { type: "string" } }] },
  { oneOf: [{ type: "string" }, { not: { type: "string" } }] },
  { anyOf: [{ minLength: 1 }, { type: "null" }] },
  { not: false },
  { not: { not: true } },
  { not: { const: 1 } },
  { not: { type: "object", required: ["x"] } },
  { if: { type: "string" }, then: { minLength: 1 } },
  { if: { type: "string" }, then: { minLength: 1 }, else: {} },
  { if: false, then: { type: "string" } },
  { allOf: [{ minLength: 0 }, { maxLength: 9 }] },
  { allOf: [true, { anyOf: [true, { type: "string" }] }] },
  { $ref: "#/$defs/Everything" },
  { $ref: "#/$defs/Value" },
  { anyOf: [{ $ref: "#/$defs/Everything" }, { type: "string" }] },
];

/** Schemas that accept objects with any keys and values, or arrays of any items. */
const ANY_OBJECT: readonly JsonSchema[] = [
  { type: "object", additionalProperties: true },
  { type: "object", additionalProperties: { minLength: 0 } },
  { type: "object", properties: { a: { type: "string" } }, additionalProperties: { contentMediaType: "text/plain" } },
  { type: "object", unevaluatedProperties: true },
  { type: "object", properties: { a: { type: "string" } }, unevaluatedProperties: { maxLength: 9 } },
  ...["^.*$", "", ".*", "[\\s\\S]*", "^x", ".", "^[\\s\\S]*$"].map((pattern): JsonSchema => ({
    type: "object",
    patternProperties: { [pattern]: { maxLength: 9 } },
  })),
  { type: "object", additionalProperties: { type: "object", additionalProperties: {} } },
  { type: "object", properties: { a: { type: "object", properties: { b: {} } } } },
  { type: ["object", "string"], additionalProperties: { description: "Anything." } },
  { type: "object", propertyNames: { pattern: "^[a-z]+$" }, additionalProperties: true },
  { type: "object", minProperties: 1, maxProperties: 3 },
  { type: "object", if: { additionalProperties: true }, unevaluatedProperties: false },
  { type: "object", properties: { a: { type: "string" } }, dependentSchemas: { a: { properties: { b: true } } } },
  {
    anyOf: [
      { type: "object", properties: { a: { type: "string" } } },
      { type: "object", properties: { b: {} } },
    ],
  },
  { oneOf: [{ type: "null" }, { type: "object", additionalProperties: {} }] },
  { type: "array" },
  { type: "array", items: {} },
  { type: "array", minItems: 1, maxItems: 3 },
  { type: "array", contains: { type: "string" } },
  { type: "array", prefixItems: [{ type: "string" }] },
  { type: "array", prefixItems: [{}], items: false },
  { type: "array", items: { type: "array" } },
  { type: "array", unevaluatedItems: true },
  { type: "array", contains: {}, unevaluatedItems: false },
];

/** Schemas that name their keys, or are typed maps, lists or scalars. */
const BOUNDED: readonly SchemaObject[] = [
  { type: "string" },
  { type: "string", minLength: 1, maxLength: 200, pattern: "^a", format: "color-name" },
  { type: "string", contentMediaType: "text/plain" },
  { type: ["string", "null"] },
  { type: ["integer", "boolean"] },
  { enum: ["a", 1, null, { a: [] }] },
  { const: { a: [1] } },
  { anyOf: [{ type: "string" }, { type: "integer" }] },
  {
    oneOf: [
      { const: "a", description: "A." },
      { const: "b", description: "B." },
    ],
  },
  { if: { type: "string" }, then: { minLength: 1 }, else: { type: "integer" } },
  { type: "string", not: { const: "a" } },
  { allOf: [{ type: "string" }, { minLength: 1 }] },
  { type: "object", additionalProperties: { type: "string" } },
  { type: "object", unevaluatedProperties: { type: "integer" } },
  { type: "object", patternProperties: { "^.*$": { type: "string" } } },
  { type: "object", patternProperties: { "^x-": { type: ["string", "null"] } }, additionalProperties: false },
  { type: "object", propertyNames: { pattern: "^[a-z]+$" }, additionalProperties: { enum: [1, 2] } },
  { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
  { type: "object", properties: { a: { type: "string" } }, additionalProperties: { type: "integer" } },
  { type: "object", properties: { a: { type: "string" } }, additionalProperties: false },
  { anyOf: [{ type: "null" }, { type: "object", properties: { a: { type: "string" } } }] },
  {
    oneOf: [
      { type: "object", required: ["k"], properties: { k: { const: "a" }, a: { type: "string" } } },
      { type: "object", required: ["k"], properties: { k: { const: "b" }, b: { type: "integer" } } },
    ],
  },
  { type: "array", items: { type: "string" } },
  { type: "array", prefixItems: [{ type: "string" }], items: false },
  { type: "array", prefixItems: [{ type: "string" }], maxItems: 1 },
  { type: "array", items: { type: "string" }, contains: { minLength: 3 } },
  { $ref: "#/$defs/Text" },
  { $ref: "#/$defs/Tree" },
];

const DEFINITIONS: { readonly [name: string]: JsonSchema } = {
  Everything: { title: "Everything" },
  Text: { type: "string" },
  Tree: {
    type: "object",
    properties: { name: { type: "string" }, children: { type: "array", items: { $ref: "#/$defs/Tree" } } },
  },
  Value: {
    anyOf: [
      { type: ["boolean", "null", "number", "string"] },
      { type: "array", items: { $ref: "#/$defs/Value" } },
      { type: "object", additionalProperties: { $ref: "#/$defs/Value" } },
    ],
  },
};

/** Ways to put a schema deeper into an input without adding an open location of their own. */
const WRAPPERS: readonly ((inner: JsonSchema) => JsonSchema)[] = [
  (inner) => ({ type: "object", properties: { in: inner } }),
  (inner) => ({ type: "object", properties: { other: { type: "string" }, in: inner }, required: ["other"] }),
  (inner) => ({ type: "object", additionalProperties: inner }),
  (inner) => ({ type: "object", unevaluatedProperties: inner }),
  (inner) => ({ type: "object", patternProperties: { "^in": inner }, additionalProperties: false }),
  (inner) => ({ type: "array", items: inner }),
  (inner) => ({ type: "array", prefixItems: [{ type: "string" }, inner], items: false }),
  (inner) => ({ type: "array", prefixItems: [{ type: "string" }], items: inner }),
  (inner) => ({ anyOf: [{ type: "null" }, inner] }),
  (inner) => ({ allOf: [inner] }),
  (inner) => ({ allOf: [inner, { description: "Composed." }] }),
  (inner) => ({ anyOf: [{ type: "string" }, { type: "object", properties: { in: inner } }] }),
  (inner) => ({
    oneOf: [
      { type: "object", properties: { k: { const: "a" }, in: inner }, required: ["k"] },
      { type: "object", properties: { k: { const: "b" } }, required: ["k"] },
    ],
  }),
  (inner) => ({
    type: "object",
    properties: { k: { type: "string" } },
    dependentSchemas: { k: { properties: { in: inner } } },
  }),
  (inner) => ({
    type: "object",
    properties: { k: { type: "string" } },
    if: { required: ["k"] },
    then: { properties: { in: inner } },
  }),
];

const wrappers = fc.array(fc.constantFrom(...WRAPPERS), { maxLength: 4 });

function inputWith(inner: JsonSchema, around: readonly ((inner: JsonSchema) => JsonSchema)[]): JsonSchema {
  const value = around.reduce((schema, wrap) => wrap(schema), inner);
  return { type: "object", properties: { value }, $defs: DEFINITIONS };
}

const ACCEPTING = [...EVERYTHING, ...ANY_OBJECT];

/** A few inputs at a time, since a run has a price of its own. */
function inputsFrom(schemas: readonly JsonSchema[]): fc.Arbitrary<readonly JsonSchema[]> {
  const input = fc.tuple(fc.constantFrom(...schemas), wrappers).map(([inner, around]) => inputWith(inner, around));
  return fc.array(input, { minLength: 10, maxLength: 10 });
}

test("a schema that accepts anything, any object or any array needs an approval", async () => {
  expect(await admitted(ACCEPTING.map((inner) => inputWith(inner, [])))).toEqual([]);
});

test("and so it does however deep it stands", async () => {
  await fc.assert(
    fc.asyncProperty(inputsFrom(ACCEPTING), async (inputs) => {
      expect(await admitted(inputs)).toEqual([]);
    }),
    { numRuns: RUNS },
  );
});

test("objects with named keys, typed maps, lists and scalars need no approval at any depth", async () => {
  expect(await stopped(BOUNDED.map((inner) => inputWith(inner, [])))).toEqual([]);
  await fc.assert(
    fc.asyncProperty(inputsFrom(BOUNDED), async (inputs) => {
      expect(await stopped(inputs)).toEqual([]);
    }),
    { numRuns: RUNS },
  );
});
