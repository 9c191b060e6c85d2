import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { encode } from "../../codec/index.js";
import type { DialectId } from "../../dialects/definition/dialect-id.js";
import { dialects } from "../../dialects/index.js";
import { flatten } from "../../flatten/flatten.js";
import { inBoundedTime } from "../../in-bounded-time.testing.js";
import type { JsonValue } from "@hasp/base/json";
import { schemas, values } from "../../validate/arbitraries.testing.js";
import { createMatcher, createValidator } from "../../validate/index.js";
import type { JsonSchema, SchemaMap, SchemaObject } from "../../vocabulary/json-schema.js";
import { walkSchema } from "../../vocabulary/walk-schema.js";
import { chance, likelyValue } from "../generators.testing.js";
import { lower } from "../lower.js";
import { toJsonSchema } from "./json-schema-form.js";

const ids = Object.keys(dialects) as DialectId[];
/** Few in the ordinary run; `HASP_FUZZ_RUNS=5000` looks longer. */
const RUNS = Number(process.env["HASP_FUZZ_RUNS"] ?? 30);

const isWithin = (inner: string, outer: string): boolean => inner === outer || inner.startsWith(`${outer}/`);

/**
 * Expects that values are sent and come back exactly where the schema accepts them. What cannot be sent needs a loss of
 * direction "narrowed", and what can be sent although the schema refuses it needs a loss at each place that refuses it.
 */
function expectLosses(source: SchemaObject, given: readonly JsonValue[], seed: number): void {
  const flat = flatten(source);
  if (flat.diagnostics.some(({ severity }) => severity === "error")) return;
  const isSource = createMatcher(flat.schema);
  const validate = createValidator(flat.schema, { maxErrors: 50 });
  const next = chance(seed);
  const defsOf = (schema: JsonSchema): SchemaObject["$defs"] => (typeof schema === "object" ? schema.$defs : undefined);
  for (const id of ids) {
    const { schema, codec, decode, losses } = lower(flat.schema, id, { flat, witnessBudget: 0 });
    if (schema === undefined) continue;
    const isWire = createMatcher(toJsonSchema(schema));
    const isNarrowed = losses.some(({ direction }) => direction === "narrowed");
    const widened = losses.filter(({ direction }) => direction === "widened").map(({ pointer }) => pointer);
    const isCovered = (value: JsonValue): boolean =>
      validate(value).errors.every(({ schemaPointer }) => {
        const place = schemaPointer.slice(0, schemaPointer.lastIndexOf("/"));
        // A definition may have been inlined, or given up with a reference to it.
        if (isWithin(place, "/$defs")) return widened.length > 0;
        return widened.some((pointer) => isWithin(place, pointer) || isWithin(pointer, place));
      });
    const fail = (what: string, value: JsonValue): never => {
      throw new Error(`${id}: ${what} ${JSON.stringify({ value, flat: flat.schema, lowered: schema, losses })}`);
    };
    const likely = Array.from({ length: 6 }, () => likelyValue(flat.schema, defsOf(flat.schema), next));
    for (const value of [...given, ...likely]) {
      const sent = encode(codec, value);
      const isSent = isWire(sent) && isDeepStrictEqual(decode(sent), value);
      if (isSource(value)) {
        if (!isSent && !isNarrowed) fail("No loss says that this cannot be sent:", value);
      } else if (isSent && !isCovered(value)) fail("No loss says that this can be sent:", value);
    }
    for (let round = 0; round < 6; round += 1) {
      const sent = likelyValue(schema, defsOf(schema), next);
      const received = decode(sent);
      if (isWire(sent) && !isSource(received) && !isCovered(received)) {
        fail("No loss says that this is received:", sent);
      }
    }
    if (id === "gemini") expectGeminisSubset(schema);
  }
}

/** Properties only where objects are, and no node of type null, which Google's own SDK refuses to convert. */
function expectGeminisSubset(lowered: JsonSchema): void {
  walkSchema(lowered, ({ schema }) => {
    if (typeof schema !== "object") return;
    expect(schema.type).not.toBe("null");
    if (schema.properties !== undefined) expect(schema.type).toBe("object");
  });
}

const requirement = (name: string): SchemaObject => ({ required: [name] });
const names = { m: { type: "string" }, n: { type: "string" } } as const;

describe("in every dialect, a loss says what cannot be sent and what can be sent although it is refused", () => {
  test.each<[string, SchemaObject, readonly JsonValue[]]>([
    [
      "a choice of required properties without a type",
      { properties: names, anyOf: [requirement("m"), requirement("n")], additionalProperties: false },
      [3, { m: "a" }, {}],
    ],
    [
      "patterns of a branch under unevaluatedProperties",
      {
        type: "object",
        oneOf: [
          { properties: { a: { type: "string" } }, required: ["a"], patternProperties: { "^b$": { type: "null" } } },
          { properties: { a: { type: "string" }, c: {} }, required: ["a", "c"] },
        ],
        unevaluatedProperties: false,
      },
      [
        { a: "x", b: null },
        { a: "x", b: 1 },
      ],
    ],
    [
      "patterns of a rival branch under unevaluatedProperties",
      {
        type: "object",
        anyOf: [{ patternProperties: { "^b": { type: "null" } } }, { properties: { a: { type: "string" } } }],
        unevaluatedProperties: { type: "integer" },
      },
      [{ a: "x", b: null }, { a: 1, b1: null, c: 2 }, { c: "x" }],
    ],
    ["lists beside contains", { enum: [[1], [1, 2]], contains: { const: 2 } }, [[1], [1, 2]]],
    [
      "lists beside a condition",
      { type: "array", enum: [[], [1], [2]], if: { minItems: 1 }, then: { contains: { const: 2 } }, else: false },
      [[], [1], [2]],
    ],
    [
      "integers beside branches about arrays",
      { type: "integer", oneOf: [{ exclusiveMinimum: 0 }, { prefixItems: [{}] }] },
      [-1, 1],
    ],
    [
      "a branch of arrays beside properties",
      { properties: names, anyOf: [{ type: "array" }, { type: "null" }] },
      [[1], null],
    ],
    [
      "items that nothing but contains evaluates",
      { contains: { const: 1 }, unevaluatedItems: { const: 2 } },
      [
        [1, 3],
        [1, 2],
      ],
    ],
    [
      "a required property that cannot be, where other types can",
      { anyOf: [{ properties: { a: false }, required: ["a"] }, { const: { b: 1 } }] },
      [1, [], { b: 1 }],
    ],
    [
      "names that arrays could be",
      { type: "object", propertyNames: { prefixItems: [{}], maxLength: 3 }, additionalProperties: { const: 1 } },
      [{ ab: 1 }],
    ],
    ["null alone", { type: "null", description: "Nothing." }, [null, "null"]],
  ])("a loss in any dialect has exact witnesses: %s", (_name, inner, given) => {
    expectLosses(inner, given, 1);
    const wrapped = given.map((v) => ({ v }));
    expectLosses(
      { type: "object", properties: { v: inner }, required: ["v"], additionalProperties: false },
      wrapped,
      2,
    );
  });

  test("random schemas of all keywords, with and without a type, recursive ones too", () => {
    fc.assert(
      fc.property(
        schemas({ references: true, unevaluated: true }),
        fc.array(values, { minLength: 8, maxLength: 8 }),
        fc.nat(),
        (schema, given, seed) => {
          const { $defs = {}, ...inner } = schema as SchemaObject;
          const required: SchemaObject = { type: "object", properties: { v: inner }, required: ["v"], $defs };
          expectLosses(schema as SchemaObject, given, seed);
          expectLosses(
            { ...required, additionalProperties: false },
            given.map((v) => ({ v })),
            seed,
          );
        },
      ),
      { numRuns: RUNS },
    );
  });
});

describe("a recursive definition", () => {
  const all = ["a", "b", "c"];
  const properties = Object.fromEntries(all.map((name) => [name, { $ref: "#/$defs/Node" }]));
  const Node: SchemaObject = { type: "object", properties, required: all, additionalProperties: false };
  const holding = (required: readonly string[], definition: SchemaObject): SchemaObject => ({
    type: "object",
    properties: { node: { $ref: "#/$defs/Node" }, text: { type: "string", pattern: "^a" } },
    required,
    additionalProperties: false,
    $defs: { Node: definition },
  });

  test.each(ids)(
    "refuses a definition that no finite value satisfies where it is required, and leaves it out elsewhere: %s",
    (id) => {
      const needed = inBoundedTime(() => lower(holding(["node", "text"], Node), id));
      expect(needed.schema).toBeUndefined();
      expect(needed.diagnostics.map(({ code }) => code)).toContain("lower/no-value");
      const { schema } = inBoundedTime(() => lower(holding(["text"], Node), id));
      expect(Object.keys((schema as SchemaObject).properties ?? {})).toEqual(["text"]);
    },
  );

  test("lowers a schema that branches nine times, with the witnesses that bounded work finds", () => {
    const names = [..."abcdefghi"];
    const branching: SchemaMap = Object.fromEntries(
      names.map((name) => [name, { anyOf: [{ $ref: "#/$defs/Node" }, { type: "null" }] }]),
    );
    const schema = holding(["node"], { ...Node, properties: branching, required: names });
    const { losses } = inBoundedTime(() => lower(schema, "gemini"));
    expect(losses.some(({ witness }) => witness !== undefined)).toBe(true);
    expect(lower(schema, "gemini").losses).toEqual(losses);
  });
});
