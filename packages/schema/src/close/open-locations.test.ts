import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { instances, schemas } from "../flatten/arbitrary.testing.js";
import { flatten } from "../flatten/flatten.js";
import type { JsonValue } from "@hasp/base/json";
import { createValidator } from "../validate/index.js";
import type { JsonSchema } from "../vocabulary/json-schema.js";
import { closeSchema } from "./close-schema.js";
import { findOpenLocations } from "./open-locations.js";

const RUNS = Number(process.env["HASP_FUZZ_RUNS"] ?? 100);

function openIn(schema: JsonSchema): readonly string[] {
  return findOpenLocations(schema).map(({ pointer }) => pointer);
}

describe("what several schemas say of a location counts together", () => {
  const text = { type: "string" } as const;
  test.each<[string, JsonSchema, readonly string[]]>([
    [
      "a branch only adds to a scalar",
      { properties: { x: text }, anyOf: [{ properties: { x: { minLength: 1 } } }] },
      [],
    ],
    [
      "each branch names the type of what stands open outside",
      { properties: { x: {} }, oneOf: [{ properties: { x: text } }, { properties: { x: { type: "null" } } }] },
      [],
    ],
    [
      "one branch leaves it open",
      { properties: { x: {} }, oneOf: [{ properties: { x: text } }, {}] },
      ["/properties/x"],
    ],
    ["a condition decides between scalars", { properties: { x: { if: text, then: {}, else: { type: "null" } } } }, []],
    ["neither object nor array", { properties: { x: { not: { type: ["array", "object"] } } } }, []],
    ["a tuple that ends", { properties: { x: { type: "array", prefixItems: [text], maxItems: 1 } } }, []],
    ["a tuple that goes on", { properties: { x: { type: "array", prefixItems: [text] } } }, ["/properties/x/items"]],
    ["a test that evaluates every key", { if: { additionalProperties: true } }, ["/if/additionalProperties"]],
    [
      "items that a test evaluates",
      { properties: { x: { type: "array", contains: {}, unevaluatedItems: false } } },
      ["/properties/x/contains"],
    ],
    ["a list of the values", { properties: { x: { enum: [{ a: 1 }, [2]] } } }, []],
    [
      "more branches than are multiplied out",
      {
        properties: { x: text },
        allOf: Array.from({ length: 12 }, (_, index) => ({
          anyOf: [{ properties: { [`a${index}`]: text } }, { properties: { [`b${index}`]: index === 11 ? {} : text } }],
        })),
      },
      ["/allOf/11/anyOf/1/properties/b11"],
    ],
  ])("findOpenLocations combines all schemas of a location: %s", (_name, schema, expected) => {
    const closed = { type: "object", unevaluatedProperties: false, ...(schema as object) } as JsonSchema;
    expect(openIn(closed)).toEqual(expected);
  });
});

test("each location is named where it can be found", () => {
  const any = { additionalProperties: true, type: "object" } as const;
  expect(
    openIn({
      type: "object",
      properties: { a: any, b: { type: "array", items: { type: "array" } }, "c/d": { $ref: "#/$defs/D" } },
      patternProperties: { "^x": { maxLength: 1 } },
      additionalProperties: false,
      $defs: { D: { type: "object", properties: { e: true, d: { $ref: "#/$defs/D" } }, additionalProperties: false } },
    }),
  ).toEqual([
    "/properties/a/additionalProperties",
    "/properties/b/items/items",
    "/$defs/D/properties/e",
    "/patternProperties/^x",
  ]);
});

test("branches that share their schemas cost no more than they are", () => {
  let shared: JsonSchema = { type: "object", properties: { a: { type: "string" } } };
  for (let depth = 0; depth < 100; depth++) shared = { allOf: [shared, shared], anyOf: [shared, shared] };
  const input: JsonSchema = { type: "object", properties: { x: shared }, additionalProperties: false };
  expect(openIn(input)).toEqual(["/properties/x/additionalProperties"]);
});

/** Values that only a location without a word about keys and items accepts. */
const PROBES: readonly JsonValue[] = [
  { "?1": [{ "?2": null }, "?", 0.25], "?3": { "?4": [[true]] }, "?5": "?" },
  [{ "?1": ["?", { "?2": 0.25 }] }, [[null]], "?", 0.25],
];

/** Puts another value in each location of a value. */
function* replaced(value: JsonValue, by: JsonValue): Generator<JsonValue> {
  yield by;
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    for (const changed of replaced(inner, by)) {
      yield Array.isArray(value)
        ? value.with(Number(key), changed)
        : Object.fromEntries([...Object.entries(value).filter(([other]) => other !== key), [key, changed]]);
    }
  }
  if (!Array.isArray(value)) yield Object.fromEntries([...Object.entries(value), ["?", by]]);
  else yield [...value, by];
}

test("a closed schema without open locations refuses arbitrary values wherever they stand", () => {
  const counts = { open: 0, none: 0 };
  fc.assert(
    fc.property(schemas, fc.array(instances, { minLength: 1, maxLength: 8 }), (schema, values) => {
      const flat = flatten(schema);
      if (flat.diagnostics.some(({ severity }) => severity === "error")) return;
      const closed = closeSchema(flat.schema);
      if (closed.diagnostics.some(({ severity }) => severity === "error")) return;
      if (openIn(closed.schema).length > 0) {
        counts.open++;
        return;
      }
      counts.none++;
      const validate = createValidator(closed.schema);
      for (const value of values as JsonValue[]) {
        for (const probe of PROBES) {
          for (const changed of replaced(value, probe)) {
            expect(validate(changed).valid, JSON.stringify(changed)).toBe(false);
          }
        }
      }
    }),
    { numRuns: RUNS },
  );
  expect(counts.none).toBeGreaterThan(RUNS / 50);
});

interface Made {
  readonly schema: JsonSchema;
  /** The targets of its references, for the root. */
  readonly definitions: { readonly [name: string]: JsonSchema };
}

/** Generates schemas in which two levels say what may be unevaluated, each with any applicator beside it. */
function nestedUnevaluated(
  keyword: "unevaluatedProperties" | "unevaluatedItems",
  declaring: JsonSchema,
  met: JsonSchema,
): fc.Arbitrary<Made> {
  const rest = fc.constantFrom<JsonSchema>(
    true,
    {},
    false,
    { type: "string" },
    { type: ["string", "array"], items: {} },
  );
  const applied = (inner: fc.Arbitrary<Made>, name: string): fc.Arbitrary<Made> =>
    inner.chain(({ schema, definitions }) =>
      fc
        .constantFrom<JsonSchema>(
          { allOf: [schema, met] },
          { anyOf: [schema] },
          { anyOf: [declaring, schema] },
          { oneOf: [schema, false] },
          { if: met, then: schema },
          { if: met, then: declaring, else: schema },
          { if: schema },
          { dependentSchemas: { a: schema } },
          { $ref: `#/$defs/${name}` },
        )
        .map((made) => ({ schema: made, definitions: { ...definitions, [name]: schema } })),
    );
  const judged = (inner: fc.Arbitrary<Made>, name: string): fc.Arbitrary<Made> =>
    fc
      .tuple(applied(inner, name), fc.option(rest, { nil: undefined }))
      .map(([made, value]) =>
        value === undefined ? made : { ...made, schema: { ...(made.schema as object), [keyword]: value } },
      );
  const leaf = fc.constantFrom<JsonSchema>(declaring, true, { [keyword]: true }, { [keyword]: false });
  return judged(
    judged(
      leaf.map((schema) => ({ schema, definitions: {} })),
      "inner",
    ),
    "outer",
  );
}

test.each([
  ["object", "unevaluatedProperties", { properties: { a: { type: "string" } } }, { required: ["a"] }, [{}, { a: "x" }]],
  ["array", "unevaluatedItems", { prefixItems: [{ type: "string" }] }, { minItems: 1 }, [[], ["x"]]],
] as const)(
  "an %s without open locations refuses arbitrary values where %s stands at two levels",
  (type, keyword, declaring, met, values) => {
    const counts = { open: 0, none: 0 };
    fc.assert(
      fc.property(nestedUnevaluated(keyword, declaring, met), (made) => {
        const schema: JsonSchema = { type, ...(made.schema as object), $defs: made.definitions };
        const validate = createValidator(schema);
        const taken = values.flatMap((value) =>
          PROBES.flatMap((probe) => {
            const rest = Array.isArray(value) ? [...value, probe] : { ...value, "?": probe };
            return validate(rest).valid ? [rest] : [];
          }),
        );
        if (openIn(schema).length > 0) {
          counts.open += 1;
          return;
        }
        counts.none += 1;
        expect(taken).toEqual([]);
      }),
      { numRuns: RUNS * 3 },
    );
    expect(counts.none).toBeGreaterThan(RUNS / 10);
    expect(counts.open).toBeGreaterThan(RUNS / 10);
  },
);
