import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createValidator, type JsonObject, type JsonSchema, type JsonValue } from "@hasp/schema";
import { makeBuildable, type ToolDraft } from "./make-buildable.js";
import { draftDocument, examineInput, TOOL_URI } from "./obstacles.js";

const FILE = "api.schemas.yaml";

function build(input: JsonValue, definitions: JsonObject = {}, output?: JsonValue) {
  return makeBuildable(new Map<string, ToolDraft>([["a", { input, output }]]), definitions, FILE);
}

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: "object", properties, ...more });
const shared = (name: string): JsonObject => ({ $ref: `./${FILE}#/$defs/${name}` });
const text: JsonObject = { type: "string" };

describe("what no build accepts", () => {
  const overlapping = [object({ p: object({ x: text }) }), object({ p: object({ y: text }) })];

  test("changes a refused schema where it stands, in the spec or in a shared definition", () => {
    const own = build(object({ body: { oneOf: overlapping } }));
    expect(own.drafts.get("a")?.input).toEqual(
      object({ body: { $comment: "The source says oneOf; its branches overlap.", anyOf: overlapping } }),
    );
    expect(own.changes).toEqual([{ remedy: "union", tool: "a", pointer: "/input/properties/body" }]);
    const common = build(object({ body: { allOf: [shared("Outer")] } }), {
      Outer: { $ref: "#/$defs/Union" },
      Union: { oneOf: overlapping, anyOf: [{ required: ["p"] }] },
    });
    expect(common.changes).toEqual([{ remedy: "union", tool: undefined, pointer: "/$defs/Union" }]);
    expect(common.definitions["Union"]).toMatchObject({
      anyOf: [{ required: ["p"] }],
      allOf: [{ anyOf: overlapping }],
    });
  });

  test("keeps refused examples and defaults aside, also where only a definition refuses them", () => {
    const { definitions, drafts } = build(object({ a: { ...shared("Limit"), default: "many" } }), {
      Limit: { type: "integer", examples: [1, "two", "three"] },
    });
    expect(drafts.get("a")?.input).toEqual(object({ a: { ...shared("Limit"), "x-imported-default": "many" } }));
    expect(definitions).toEqual({ Limit: { type: "integer", examples: [1], "x-imported-examples": ["three", "two"] } });
  });

  test("accepts any value for a required property that is described nowhere", () => {
    const { definitions, changes } = build(object({ a: shared("Hook") }), {
      Hook: { allOf: [object({ id: text }), { required: ["id", "team"] }] },
    });
    expect(changes).toEqual([{ remedy: "undescribed", tool: undefined, pointer: "/$defs/Hook/allOf/1" }]);
    expect(definitions["Hook"]).toMatchObject({
      allOf: [{}, { properties: { team: { description: expect.any(String) } } }],
    });
  });

  test("leaves out a refused output and keeps the tool", () => {
    const loop = { Loop: { allOf: [{ $ref: "#/$defs/Loop" }] } };
    const { drafts, withoutOutput } = build(object({}), loop, shared("Loop"));
    expect(drafts.get("a")).toEqual({ input: object({}), output: undefined });
    expect(withoutOutput.get("a")).toContain("refers back to itself");
  });

  test("leaves out an output that is too large to write out", () => {
    const levels = Object.fromEntries(
      Array.from({ length: 12 }, (_, level) => [
        `L${level}`,
        level === 11
          ? text
          : object(Object.fromEntries([..."abc"].map((key) => [key, { $ref: `#/$defs/L${level + 1}` }]))),
      ]),
    );
    expect(build(object({}), levels, shared("L0")).withoutOutput.get("a")).toMatch(/more than 5000 schemas/u);
  });

  test("refuses a tool without a remedy, and keeps its neighbours", () => {
    const { drafts, refused } = makeBuildable(
      new Map([
        ["a", { input: object({ p: { $ref: "#gone" } }) }],
        ["b", { input: object({}) }],
      ]),
      {},
      FILE,
    );
    expect([...drafts.keys()]).toEqual(["b"]);
    expect(refused.get("a")).toContain("#gone");
  });

  test("refuses a tool by the name of its faulty definition, and keeps one that does not need it", () => {
    const definitions: JsonObject = {
      faulty: { type: "number", exclusiveMinimum: "x" },
      tree: { $dynamicAnchor: "node", ...object({ next: { $dynamicRef: "#node" } }) },
    };
    const { drafts, refused, withoutOutput } = makeBuildable(
      new Map([
        ["input", { input: object({ p: shared("faulty") }) }],
        ["output", { input: object({}), output: shared("faulty") }],
        ["other", { input: object({ p: shared("tree") }), output: shared("tree") }],
      ]),
      definitions,
      FILE,
    );
    expect([...drafts.keys()]).toEqual(["output", "other"]);
    const fault = 'its definition "faulty" is not valid: "exclusiveMinimum" must be a number, not "x".';
    expect([...refused, ...withoutOutput]).toEqual([
      ["input", fault],
      ["output", fault],
    ]);
  });
});

const leaf = fc.constantFrom<JsonObject>(
  text,
  { type: "integer", default: "x" },
  { type: "string", pattern: "(" },
  { type: "object" },
);
const { schema } = fc.letrec<{ schema: JsonObject; object: JsonObject }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    leaf,
    tie("object"),
    fc.record({ oneOf: fc.array(tie("object"), { minLength: 1, maxLength: 3 }) }),
    fc.record({ allOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }) }),
    fc.record({ $ref: fc.constantFrom(`./${FILE}#/$defs/A`, `./${FILE}#/$defs/B`) }),
    fc.record({ type: fc.constant("array"), items: tie("schema"), examples: fc.constant([[1], "x"]) }),
  ),
  object: fc
    .dictionary(fc.constantFrom("a", "b", "c"), tie("schema"), { maxKeys: 3 })
    .map((properties) => object(properties)),
}));

test("makes any import buildable, and only widens schemas except for values shown", () => {
  fc.assert(
    fc.property(schema, schema, schema, fc.jsonValue(), (input, first, second, sent) => {
      const before = object({ body: input });
      const { drafts, definitions, changes } = build(before, { A: first, B: second });
      const draft = drafts.get("a");
      if (draft === undefined) return;
      const documents = new Map([
        [TOOL_URI, draftDocument(TOOL_URI, { input: draft.input })],
        [FILE, draftDocument(FILE, { $defs: definitions })],
      ]);
      expect(examineInput(draft.input, documents, () => true).obstacles).toEqual([]);
      if (changes.length === 0) expect(draft.input).toEqual(before);
      const value = { body: sent as JsonValue };
      if (accepts(before, { A: first, B: second }, value)) expect(accepts(draft.input, definitions, value)).toBe(true);
    }),
  );
});

function accepts(root: JsonValue, $defs: JsonObject, value: JsonValue): boolean {
  const inside = JSON.parse(
    JSON.stringify({ ...(root as JsonObject), $defs }).replaceAll(`./${FILE}#`, "#"),
  ) as JsonSchema;
  try {
    return createValidator(inside, { foreignPatterns: "skip" })(value).valid;
  } catch {
    return false;
  }
}
