import type { JsonSchema, JsonValue } from "@hasp/schema";
import { KEYWORDS, keywordNames } from "@hasp/schema/vocabulary";
import fc from "fast-check";
import { expect, test } from "vitest";
import { removeSecrets } from "./secrets.js";
import { ownParts } from "./tool-parts.js";

interface Place {
  readonly schema: JsonSchema;
  readonly value: JsonValue;
  readonly pointer: string;
}

type Step = (inner: Place) => Place;

const inPlace =
  (around: (schema: JsonSchema) => JsonSchema): Step =>
  ({ schema, ...rest }) => ({ schema: around(schema), ...rest });
const inMember =
  (around: (schema: JsonSchema) => JsonSchema): Step =>
  ({ schema, value, pointer }) => ({
    schema: around(schema),
    value: { "a/b": value, note: "tidy" },
    pointer: `/a~1b${pointer}`,
  });
const inItem =
  (around: (schema: JsonSchema) => JsonSchema): Step =>
  ({ schema, value, pointer }) => ({ schema: around(schema), value: ["tidy", value], pointer: `/1${pointer}` });

/** Schemas in which each keyword that applies subschemas leads to the part that they describe. */
const STEPS = {
  $ref: inPlace((schema) => ({ $defs: { "x y": schema }, $ref: "#/$defs/x%20y" })),
  $dynamicRef: inPlace((schema) => ({
    $defs: { x: { $dynamicAnchor: "node", allOf: [schema] } },
    $dynamicRef: "#node",
  })),
  properties: inMember((schema) => ({ properties: { note: true, "a/b": schema } })),
  patternProperties: inMember((schema) => ({ patternProperties: { "^a": schema } })),
  additionalProperties: inMember((schema) => ({ properties: { note: true }, additionalProperties: schema })),
  unevaluatedProperties: inMember((schema) => ({ properties: { note: true }, unevaluatedProperties: schema })),
  dependentSchemas: inPlace((schema) => ({ dependentSchemas: { note: schema } })),
  dependencies: inPlace((schema) => ({ dependencies: { note: schema } })),
  prefixItems: inItem((schema) => ({ prefixItems: [true, schema] })),
  items: inItem((schema) => ({ prefixItems: [true], items: schema })),
  anyOf: inPlace((schema) => ({ anyOf: [true, schema] })),
  oneOf: inPlace((schema) => ({ oneOf: [schema, { type: "null" }] })),
  allOf: inPlace((schema) => ({ allOf: [{}, schema] })),
  not: inPlace((schema) => ({ not: schema })),
  if: inPlace((schema) => ({ if: schema })),
  then: inPlace((schema) => ({ if: true, then: schema })),
  else: inPlace((schema) => ({ if: false, else: schema })),
} satisfies { readonly [keyword in keyof typeof KEYWORDS]?: Step };

/** Keywords that describe no value, or all items at once. */
const OTHERS = ["propertyNames", "contains", "additionalItems", "unevaluatedItems"];

test("every keyword that applies schemas has its step", () => {
  const applicators = keywordNames.filter((name) => KEYWORDS[name].role === "applicator");
  expect([...Object.keys(STEPS), ...OTHERS].toSorted()).toEqual(applicators.toSorted());
});

test("exactly the value that a schema declares secret is hidden, however the schema leads there", () => {
  // A reference names a place in the whole schema, so it is the outermost step.
  const [, , ...plain] = Object.values(STEPS) as readonly Step[];
  const marks = [{ writeOnly: true }, { format: "password" }, { "x-secret": true }] as readonly JsonSchema[];
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...plain), { maxLength: 6 }),
      fc.constantFrom(STEPS.$ref, STEPS.$dynamicRef, (place: Place) => place),
      fc.constantFrom(...marks),
      (steps, outermost, mark) => {
        const leaf: Place = { schema: mark, value: "hunter2", pointer: "" };
        const { schema, value, pointer } = outermost(steps.reduce((place, step) => step(place), leaf));
        const found = removeSecrets(value, schema, ownParts);
        expect(found.hidden).toEqual([pointer]);
        const expected = JSON.stringify(value).replace('"hunter2"', '"[secret]"');
        expect(JSON.stringify(found.value)).toBe(expected);
      },
    ),
  );
});

test("without an engine of patterns, each pattern may match, so what it may declare secret is hidden", () => {
  const schema = { patternProperties: { "^key_": { writeOnly: true } } } as JsonSchema;
  const value = { key_one: "a", other: "b" };
  expect(removeSecrets(value, schema, ownParts).hidden).toEqual(["/key_one"]);
  expect(removeSecrets(value, schema, {}).hidden).toEqual(["/key_one", "/other"]);
});

test("a definition that nothing refers to hides nothing, whatever names it has", () => {
  const schema = {
    properties: { command: { type: "string" } },
    $defs: { unused: { properties: { command: { writeOnly: true } }, "x-secret": true } },
  } as JsonSchema;
  const { value, hidden, secrets } = removeSecrets({ command: "rm -rf ~" }, schema, ownParts);
  expect([value, hidden, secrets]).toEqual([{ command: "rm -rf ~" }, [], []]);
});

test("a schema that refers to itself is followed as deep as the value", () => {
  const schema = {
    properties: { pin: { writeOnly: true }, next: { $ref: "#" } },
    allOf: [{ $ref: "#" }],
  } as JsonSchema;
  expect(removeSecrets({ pin: 1, next: { next: { pin: 2 } } }, schema, ownParts).hidden).toEqual([
    "/pin",
    "/next/next/pin",
  ]);
});

test.each(["#/$defs/none", "#none", "https://example.com/elsewhere"])(
  "a reference to %s hides the value it may describe",
  ($ref) => {
    expect(removeSecrets({ a: "b" }, { properties: { a: { $ref } } }, {}).hidden).toEqual(["/a"]);
  },
);

test.each([
  [{ properties: { pin: { "x-secret": true } } }, true],
  [{ items: [{ anyOf: [{ contentSchema: { format: "password" } }] }] }, true],
  [{ $ref: "#/$defs/pin" }, true],
  [{ properties: { inner: { $dynamicRef: "#/$defs/outer" } } }, true],
  [{ $ref: "#/$defs/none" }, true],
  [{ properties: { pin: { type: "string" } } }, false],
  [{ $ref: "#/$defs/plain" }, false],
])("a text whose content has the schema %j is secret as a whole: %s", (contentSchema, isHidden) => {
  const schema = {
    properties: { a: { type: "string", contentMediaType: "application/json", contentSchema } },
    $defs: {
      pin: { writeOnly: true },
      outer: { properties: { pin: { $ref: "#/$defs/pin" } } },
      plain: { properties: { more: { $ref: "#/$defs/plain" } } },
    },
  } as JsonSchema;
  const { value, hidden, secrets } = removeSecrets({ a: '{"pin":"1234"}' }, schema, ownParts);
  const whole = [{ a: "[secret]" }, ["/a"], ['{"pin":"1234"}']];
  expect([value, hidden, secrets]).toEqual(isHidden ? whole : [{ a: '{"pin":"1234"}' }, [], []]);
});

test("a keyword that code leaves undefined hides nothing", () => {
  const schema = { allOf: undefined, then: undefined, properties: { a: { type: "string" } } } as unknown as JsonSchema;
  expect(removeSecrets({ a: "b" }, schema, ownParts)).toMatchObject({ value: { a: "b" }, hidden: [] });
});

test("removeSecrets looks up a member's schema by its name, and lists the schemas of all items once", () => {
  let listed = 0;
  const counted = <Node extends object>(node: Node): Node =>
    new Proxy(node, {
      ownKeys(target) {
        listed += 1;
        return Reflect.ownKeys(target);
      },
    });
  const names = Array.from({ length: 50 }, (_, index) => `p${index}`);
  const properties = counted(Object.fromEntries(names.map((name) => [name, { type: "string" as const }])));
  const input = Object.fromEntries(names.map((name) => [name, "a"]));
  removeSecrets(input, { type: "object", properties }, {});
  expect(listed).toBeLessThan(3);
  listed = 0;
  const anyOf = counted([{ type: "string" as const }, { type: "null" as const }]);
  removeSecrets(
    names.map(() => "a"),
    { type: "array", items: { anyOf } },
    {},
  );
  expect(listed).toBeLessThan(3);
});
