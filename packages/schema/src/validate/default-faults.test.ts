import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonSchema } from "../vocabulary/json-schema.js";
import { findDefaultFaults } from "./default-faults.js";
import { createValidator } from "./validator.js";

const NAMES = ["A", "B", "C"];

/** Definitions that contain each other, with defaults that give some of what they need and leave out the rest. */
const someDefinitions = fc.letrec((tie) => ({
  value: fc.dictionary(fc.constantFrom("x", "y"), fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, tie("value")), {
    maxKeys: 1,
    noNullPrototype: true,
  }),
  property: fc.record(
    { $ref: fc.constantFrom(...NAMES.map((name) => `#/$defs/${name}`)), default: tie("value") },
    { requiredKeys: ["$ref"] },
  ),
  object: fc.record({
    type: fc.constant("object"),
    properties: fc.record({ x: tie("property"), y: tie("property") }, { requiredKeys: [] }),
  }),
  all: fc.record({ A: tie("object"), B: tie("object"), C: tie("object") }),
})).all as fc.Arbitrary<{ readonly [name: string]: JsonSchema }>;

describe("findDefaultFaults", () => {
  test("a schema fills every object to the end exactly if no default is found to be endless", () => {
    let endless = 0;
    fc.assert(
      fc.property(someDefinitions, ($defs) => {
        const faults = findDefaultFaults({ $defs }, { fills: true });
        const fillsToTheEnd = NAMES.every(
          (name) => createValidator({ $ref: `#/$defs/${name}`, $defs }, { defaults: true })({}).valid,
        );
        if (faults.length > 0) endless += 1;
        expect(faults.length === 0).toBe(fillsToTheEnd);
        for (const { error } of faults) expect(error).toBeUndefined();
      }),
    );
    expect(endless).toBeGreaterThan(10);
  });

  const endless: readonly (readonly [string, JsonSchema, readonly string[]])[] = [
    ["itself", { type: "object", properties: { c: { $ref: "#", default: {} } } }, ["/properties/c"]],
    [
      "itself through another default",
      {
        properties: { a: { $ref: "#/$defs/A", default: {} } },
        $defs: {
          A: { properties: { b: { $ref: "#/$defs/B", default: {} } } },
          B: { properties: { a: { $ref: "#/$defs/A", default: {} }, n: { default: 1 } } },
        },
      },
      ["/$defs/A/properties/b", "/$defs/B/properties/a"],
    ],
  ];

  test.each(endless)("a default that fills %s without end is found at its place", (_, schema, pointers) => {
    expect(findDefaultFaults(schema, { fills: true })).toEqual(
      pointers.map((pointer) => ({ pointer, error: undefined })),
    );
    expect(findDefaultFaults(schema, { fills: false })).toEqual([]);
  });

  const size: JsonSchema = {
    type: "object",
    properties: { width: { type: "integer", default: 1 } },
    required: ["width"],
  };

  test("a default is judged with the defaults of what it leaves out", () => {
    const schema: JsonSchema = { properties: { size: { ...size, default: {} } } };
    expect(findDefaultFaults(schema, { fills: true })).toEqual([]);
    expect(findDefaultFaults(schema, { fills: false })).toMatchObject([{ pointer: "/properties/size" }]);
    const narrow: JsonSchema = { properties: { size: { ...size, not: size, default: {} } } };
    expect(findDefaultFaults(narrow, { fills: true })).toMatchObject([{ error: { keyword: "not" } }]);
  });

  test("a reference in the schema of a default means a place in the whole schema", () => {
    const schema: JsonSchema = { properties: { c: { type: "null" }, d: { $ref: "#", default: { c: 1 } } } };
    const fault = { pointer: "/properties/d", error: { pointer: "/c" } };
    expect(findDefaultFaults(schema, { fills: false })).toMatchObject([fault]);
  });
});
