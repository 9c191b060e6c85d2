import fc from "fast-check";
import type { JsonSchema } from "@hasp/schema";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compileSpecs, createProject, type GeneratedProject, plan } from "./generated-project.js";

type Properties = Readonly<Record<string, JsonSchema>>;

const scalar: fc.Arbitrary<JsonSchema> = fc.constantFrom<JsonSchema>(
  true,
  { type: "string" },
  { type: "boolean", default: false },
  { type: "integer", default: 1, minimum: 0 },
  { type: ["integer", "null"], default: null },
  { enum: ["p", 1, null] },
  { const: "c" },
  { type: "array", items: { type: "string" }, default: [] },
  { type: "object", additionalProperties: true, default: {} },
);
const reference: fc.Arbitrary<JsonSchema> = fc.constantFrom("First", "Second").map((name) => ({
  $ref: `#/$defs/${name}`,
}));
const names = ["a", "b", "constructor", "y-x", "then"] as const;

/** Makes an object; a property that leads to a definition is optional, so that no value has to be endless. */
function makeObject(
  properties: Properties,
  isRequired: boolean,
  further: Readonly<Record<string, JsonSchema | Properties>>,
): JsonSchema {
  const required = Object.keys(properties).filter(
    (name) => isRequired && !JSON.stringify(properties[name]).includes("$ref"),
  );
  const isBare = Object.keys(properties).length === 0 && Object.keys(further).length === 0;
  return { type: "object", properties, required, ...(isBare ? { additionalProperties: false } : further) };
}

const { object, any } = fc.letrec<{ any: JsonSchema; object: JsonSchema; properties: Properties }>((tie) => ({
  properties: fc.dictionary(fc.constantFrom(...names), tie("any"), { maxKeys: 3, noNullPrototype: true }),
  object: fc
    .tuple(
      tie("properties"),
      fc.boolean(),
      fc.oneof(
        fc.constantFrom({}, { additionalProperties: false }, { additionalProperties: true }),
        tie("any").map((schema) => ({ additionalProperties: schema })),
        tie("any").map((schema) => ({ additionalProperties: false, patternProperties: { "^x": schema } })),
      ),
    )
    .map(([properties, isRequired, further]) => makeObject(properties, isRequired, further)),
  any: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    scalar,
    reference,
    tie("object"),
    tie("any").map((items): JsonSchema => ({ type: "array", items })),
    fc.tuple(tie("any"), tie("any"), fc.nat(2)).map(([first, items, minItems]): JsonSchema => ({
      type: "array",
      prefixItems: [first],
      items,
      minItems,
    })),
    fc.tuple(tie("properties"), tie("properties"), fc.boolean()).map(([left, right, isClosed]): JsonSchema => ({
      oneOf: [left, right].map((properties, index) => ({
        type: "object",
        properties: { ...properties, kind: { const: index } },
        required: ["kind"],
        ...(isClosed ? { additionalProperties: false } : {}),
      })),
    })),
    tie("any").map((schema): JsonSchema => ({ anyOf: [schema, { type: "null" }] })),
  ),
}));

const tool = fc
  .tuple(object, object, object, fc.option(any, { nil: undefined }))
  .map(([input, First, Second, output]) => {
    const $defs = { First, Second };
    return {
      input: { ...(input as object), $defs },
      ...(output === undefined ? {} : { output: typeof output === "boolean" ? output : { ...output, $defs } }),
    };
  });

describe("what is declared for any schema with defaults, maps and definitions", () => {
  let project: GeneratedProject;
  beforeAll(async () => {
    const tools = fc.sample(tool, Number(process.env["HASP_FUZZ_RUNS"] ?? 20));
    const specs = tools.map((parts, index) => {
      const name = `t${index}`;
      return [`${name}.tool.json`, { hasp: 1, name, description: "Does it.", ...parts }] as const;
    });
    const dialects = plan.dialects.filter(({ id }) => id === "mcp" || id === "openai-responses-strict");
    const result = await compileSpecs(Object.fromEntries(specs), { dialects });
    expect(result.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    project = createProject(result);
  });
  afterAll(() => project.remove());

  test.each(["documented", "strictest"] as const)("compiles with %s settings", (settings) => {
    expect(project.typeErrors(settings)).toBe("");
  });
});
