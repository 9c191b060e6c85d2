import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dialects } from "../dialects/index.js";
import type { DialectId } from "../dialects/definition/dialect-id.js";
import type { JsonValue } from "@hasp/base/json";
import type { SchemaObject } from "../vocabulary/json-schema.js";
import { lower } from "./lower.js";

const flat = { originsOf: () => [] };

/** One tool input with one of each: what a reader should see for each family of dialects at a glance. */
const source: SchemaObject = {
  type: "object",
  properties: {
    query: { type: "string", description: "What to look for.", minLength: 1, maxLength: 80 },
    limit: { type: "integer", minimum: 1, maximum: 100, default: 10 },
    since: { type: "string", format: "date" },
    link: { type: "string", format: "uri" },
    note: { type: ["string", "null"] },
    level: { enum: [1, 2] },
    labels: { type: "object", additionalProperties: { type: "string" }, description: "By name." },
    range: { type: "array", prefixItems: [{ type: "integer" }, { type: "string" }], items: false, minItems: 2 },
    target: {
      oneOf: [
        {
          type: "object",
          properties: { kind: { const: "user" }, id: { type: "integer" } },
          required: ["kind", "id"],
          additionalProperties: false,
        },
        {
          type: "object",
          properties: { kind: { const: "team" }, slug: { type: "string" } },
          required: ["kind"],
          additionalProperties: false,
        },
      ],
    },
  },
  required: ["query"],
  additionalProperties: false,
};

const values: readonly JsonValue[] = [
  { query: "a" },
  { query: "a", limit: 5, since: "2020-01-01", link: "https://example.com/", note: null, level: 2 },
  { query: "a", labels: { a: "1", b: "2" }, range: [1, "x"], target: { kind: "user", id: 7 } },
  { query: "a", note: "n", labels: {}, target: { kind: "team" } },
  { query: "a", target: { kind: "team", slug: "s" } },
];

const closed = (properties: SchemaObject["properties"], required: readonly string[]): SchemaObject => ({
  type: "object",
  ...(properties === undefined ? {} : { properties }),
  required,
  additionalProperties: false,
});
const pairs = (extra: SchemaObject = {}): SchemaObject => ({
  description: "By name. Each key once.",
  type: "array",
  items: {
    type: "object",
    properties: { key: { type: "string" }, value: { type: "string" } },
    required: ["key", "value"],
    ...extra,
  },
});
const kindUser = closed({ kind: { type: "string", const: "user" }, id: { type: "integer" } }, ["kind", "id"]);

/** The same tuple for readers that take no boolean in the place of a schema. */
const shortTuple: SchemaObject = {
  type: "array",
  prefixItems: [{ type: "integer" }, { type: "string" }],
  minItems: 2,
  maxItems: 2,
};

const goldens: { readonly [id in DialectId]?: { readonly [name: string]: unknown } } = {
  anthropic: { ...source.properties },
  "anthropic-strict": {
    query: { description: "What to look for. At least 1 character. At most 80 characters.", type: "string" },
    limit: { description: "At least 1. At most 100.", type: "integer", default: 10 },
    since: { type: "string", format: "date" },
    link: { type: "string", format: "uri" },
    note: { type: ["string", "null"] },
    level: { type: "integer", enum: [1, 2] },
    labels: pairs({ additionalProperties: false }),
    range: closed({ item0: { type: "integer" }, item1: { type: "string" } }, ["item0", "item1"]),
    target: {
      anyOf: [kindUser, closed({ kind: { type: "string", const: "team" }, slug: { type: "string" } }, ["kind"])],
    },
  },
  "openai-responses-strict": {
    query: { description: "What to look for.", type: "string", minLength: 1, maxLength: 80 },
    limit: { type: ["integer", "null"], minimum: 1, maximum: 100, default: 10 },
    since: { type: ["string", "null"], format: "date" },
    link: { description: "Format: uri.", type: ["string", "null"] },
    note: { anyOf: [closed({ value: { type: ["string", "null"] } }, ["value"]), { type: "null" }] },
    level: { type: ["integer", "null"], enum: [1, 2, null] },
    labels: {
      description: "By name. Each key once.",
      anyOf: [{ type: "array", items: pairs({ additionalProperties: false }).items }, { type: "null" }],
    },
    range: {
      anyOf: [closed({ item0: { type: "integer" }, item1: { type: "string" } }, ["item0", "item1"]), { type: "null" }],
    },
    target: {
      anyOf: [
        kindUser,
        closed({ kind: { type: "string", const: "team" }, slug: { type: ["string", "null"] } }, ["kind", "slug"]),
        { type: "null" },
      ],
    },
  },
  gemini: {
    query: { description: "What to look for.", type: "string", minLength: 1, maxLength: 80 },
    limit: { description: "Default: 10.", type: "integer", minimum: 1, maximum: 100 },
    since: { description: "Format: date.", type: "string" },
    link: { description: "Format: uri.", type: "string" },
    note: { type: "string", nullable: true },
    level: { type: "string", enum: ["1", "2"] },
    labels: pairs(),
    range: {
      description: 'The items in order: [{"type":"integer"},{"type":"string"}].',
      type: "array",
      items: { anyOf: [{ type: "integer" }, { type: "string" }] },
      minItems: 2,
      maxItems: 2,
    },
    target: {
      anyOf: [
        {
          type: "object",
          properties: { kind: { type: "string", enum: ["user"] }, id: { type: "integer" } },
          required: ["kind", "id"],
        },
        {
          type: "object",
          properties: { kind: { type: "string", enum: ["team"] }, slug: { type: "string" } },
          required: ["kind"],
        },
      ],
    },
  },
  "gemini-json-schema": {
    ...source.properties,
    query: { description: "What to look for. At least 1 character. At most 80 characters.", type: "string" },
    limit: { description: "Default: 10.", type: "integer", minimum: 1, maximum: 100 },
    range: shortTuple,
    target: {
      anyOf: [
        closed({ kind: { enum: ["user"] }, id: { type: "integer" } }, ["kind", "id"]),
        closed({ kind: { enum: ["team"] }, slug: { type: "string" } }, ["kind"]),
      ],
    },
  },
  mcp: { ...source.properties, range: { ...shortTuple, items: {} } },
  mistral: { ...source.properties },
  "cohere-v2": { ...source.properties },
  "vercel-ai-sdk": { ...source.properties },
};

describe.each(Object.entries(goldens))("lowering the golden %s", (id, properties) => {
  const result = lower(source, id as DialectId, { flat });

  test("gives the properties that a reader expects", () => {
    expect(result.diagnostics).toEqual([]);
    expect((result.schema as SchemaObject).properties).toEqual(properties);
  });

  test("every value travels and comes back", () => {
    for (const value of values) expect(result.decode(result.encode(value))).toEqual(value);
  });

  test("each loss names its place, and those that the search can reach have a witness", () => {
    for (const loss of result.losses) {
      expect(loss.dialect).toBe(id);
      expect(loss.direction).toBe("widened");
      expect(loss.pointer === "" || loss.pointer.startsWith("/properties/")).toBe(true);
    }
  });
});

test("keywords stand in one order, properties, required and enum in the author's", () => {
  const authored: SchemaObject = {
    additionalProperties: false,
    required: ["z", "a"],
    properties: {
      z: { enum: ["b", "a"], description: "First.", type: "string" },
      a: { maximum: 2, minimum: 1, type: "integer" },
    },
    type: "object",
  };
  expect(JSON.stringify(lower(authored, "openai-chat").schema)).toBe(
    '{"type":"object","properties":{"z":{"description":"First.","type":"string","enum":["b","a"]},"a":{"type":"integer","minimum":1,"maximum":2}},"required":["z","a"],"additionalProperties":false}',
  );
});

test("the source is not changed and nothing mutable is shared", () => {
  const before = JSON.stringify(source);
  for (const id of Object.keys(goldens)) lower(source, id as DialectId, { flat });
  expect(JSON.stringify(source)).toBe(before);
});

test("a place in the lowered schema leads back to its source", () => {
  const result = lower(source, "openai-responses-strict", { flat });
  const labels = (result.schema as SchemaObject).properties?.["labels"];
  expect(typeof labels === "object" ? result.sourceOf(labels) : undefined).toBe("/properties/labels");
});

test("an unknown keyword is not sent, and that is said; x- words go without a remark", () => {
  const result = lower(
    { type: "object", properties: { a: { type: "string", "x-order": 1, dicriminator: 2 } as SchemaObject } },
    "mcp",
  );
  expect(JSON.stringify(result.schema)).toBe('{"type":"object","properties":{"a":{"type":"string"}}}');
  expect(result.diagnostics.filter((diagnostic) => diagnostic.code === "lower/unknown-keyword")).toHaveLength(1);
});

test.each([
  ["refuses", { pattern: "refuse" as const }],
  ["does not list, as only JavaScript can have it,", { pattern: undefined as unknown as "refuse" }],
])("a keyword that a table %s refuses the tool", async (_, change) => {
  const { dialects, defineDialect } = await import("../dialects/index.js");
  const dialect = defineDialect({ ...dialects.mcp, keywords: { ...dialects.mcp.keywords, ...change } });
  const result = lower({ type: "object", properties: { a: { type: "string", pattern: "^a" } } }, dialect);
  expect(result.schema).toBeUndefined();
  expect(result.diagnostics.map((diagnostic) => diagnostic.code)).toEqual(["lower/keyword-refused"]);
});

test("an open object in a strict dialect: refused, or narrowed where that is allowed", () => {
  const open: SchemaObject = { type: "object", properties: { a: { type: "string" } }, additionalProperties: true };
  expect(lower(open, "openai-chat-strict").schema).toBeUndefined();
  const narrowed = lower(open, "openai-chat-strict", { allowNarrowing: true });
  expect(narrowed.losses.map((loss) => [loss.keyword, loss.direction, loss.enforcedBy])).toEqual([
    ["additionalProperties", "narrowed", "nobody"],
  ]);
  expect(narrowed.encode({ a: "x" })).toEqual({ a: "x" });
  expect(() => narrowed.encode({ b: 1 })).toThrow(RangeError);
});

test("reference bombs, products of unions and deep nesting end in a diagnostic, soon", () => {
  const $defs: { [name: string]: SchemaObject } = {
    d0: { type: "object", properties: { s: { $ref: "#/$defs/d29" } } },
  };
  for (let level = 1; level < 30; level += 1) {
    $defs[`d${level}`] = {
      type: "object",
      properties: { a: { $ref: `#/$defs/d${level - 1}` }, b: { $ref: `#/$defs/d${level - 1}` } },
    };
  }
  for (const id of ["gemini", "ollama", "openai-responses-strict", "anthropic-strict"] as const) {
    const result = lower({ type: "object", properties: { root: { $ref: "#/$defs/d29" } }, $defs }, id, {
      flat,
      witnessBudget: 0,
      allowNarrowing: true,
    });
    expect(result.schema !== undefined || result.diagnostics.length > 0, id).toBe(true);
  }
  let deep: SchemaObject = { type: "string" };
  for (let level = 0; level < 10_000; level += 1) deep = { type: "array", items: deep };
  const result = lower({ type: "object", properties: { deep } }, "gemini", { flat, witnessBudget: 0 });
  expect(result.diagnostics.map((diagnostic) => diagnostic.code)).toEqual(["lower/too-deep"]);
}, 10_000);

test("a recursion that is cut names what a model can see", () => {
  const node: SchemaObject = {
    type: "object",
    properties: { name: { type: "string" }, next: { $ref: "#/$defs/Hidden" } },
  };
  const within = lower(
    { type: "object", properties: { list: { $ref: "#/$defs/Hidden" } }, $defs: { Hidden: node } },
    "gemini",
  );
  expect(JSON.stringify(within.schema)).toContain("The same shape as the object above with name and next.");
  expect(JSON.stringify(within.schema)).not.toContain("Hidden");
  const whole = lower({ type: "object", properties: { name: { type: "string" }, next: { $ref: "#" } } }, "gemini");
  expect(JSON.stringify(whole.schema)).toContain("The same shape as the whole input.");
});

test("the search for witnesses passes by values that a narrowed schema cannot take", () => {
  const schema = {
    type: "object",
    properties: { n: { type: "integer", minimum: 1 } },
    required: ["n", "undeclared"],
  } as const;
  const { losses } = lower(schema, "anthropic-strict", { flat, allowNarrowing: true });
  expect(losses.map(({ keyword, direction }) => `${keyword} ${direction}`)).toContain("additionalProperties narrowed");
});

test("a branch that two inner unions share is told once", () => {
  const text = { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] } as const;
  const schema = {
    type: "object",
    properties: {
      a: {
        anyOf: [
          { description: "One.", ...text },
          { description: "Two.", ...text },
        ],
      },
    },
  } as const;
  const once = lower(schema, "gemini", { flat }).schema ?? false;
  expect(lower(once, "gemini", { flat }).schema).toEqual(once);
});

test.each(Object.entries(dialects).filter(([, { shapes }]) => shapes.tuples !== "kept"))(
  "%s lowers a tuple that maxItems ends like one that ends with its places",
  (id) => {
    const someTypes = fc.array(fc.constantFrom("integer", "string", "boolean"), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(someTypes, fc.integer({ min: 1, max: 3 }), fc.nat(2), (types, maxItems, minItems) => {
        fc.pre(maxItems <= types.length);
        const places = types.map((type) => ({ type }) as SchemaObject);
        const lowered = (tuple: SchemaObject): unknown => {
          const list: SchemaObject = { type: "array", minItems, maxItems, ...tuple };
          const { schema, codec } = lower(closed({ list }, ["list"]), id as DialectId, { flat });
          return { schema, codec };
        };
        const ended = lowered({ prefixItems: places.slice(0, maxItems), items: false });
        expect(lowered({ prefixItems: places })).toEqual(ended);
        expect(lowered({ prefixItems: places, items: {} })).toEqual(ended);
      }),
    );
  },
);

test.each(Object.keys(dialects) as DialectId[])("no list for %s holds a bound beyond 2^53", (id) => {
  const huge = 2 ** 63;
  const properties: SchemaObject["properties"] = {
    a: { type: "integer", minimum: -huge, maximum: huge },
    b: { type: "number", exclusiveMinimum: -huge, exclusiveMaximum: huge, multipleOf: huge },
    c: { type: "string", maxLength: huge },
    d: { type: "array", items: { type: "string" }, maxItems: huge },
  };
  const { schema, losses, diagnostics } = lower(closed(properties, Object.keys(properties)), id, { flat });
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  expect(JSON.stringify(schema)).not.toMatch(/":-?\d{16}/u);
  expect(losses.filter(({ direction }) => direction === "widened").map(({ keyword }) => keyword)).toEqual(
    expect.arrayContaining(["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "maxLength"]),
  );
});

test("a definition may have a name that no URI can say", () => {
  const name = "\ud800#/$";
  const escaped = "\ud800%23~1$";
  const schema = {
    type: "object",
    properties: { a: { $ref: `#/$defs/${escaped}` } },
    $defs: { [name]: { type: "object", properties: { a: { $ref: `#/$defs/${escaped}` } } } },
  } as const;
  const { schema: lowered, encode } = lower(schema, "mcp", { flat });
  expect(lowered).toEqual(schema);
  expect(encode({ a: { a: {} } })).toEqual({ a: { a: {} } });
});

test("a format that is never asserted is a note: it is passed or told, and is no loss", () => {
  const schema = {
    type: "object",
    properties: { n: { type: "integer", format: "int32" } },
    required: ["n"],
    additionalProperties: false,
  } as const;
  expect(lower(schema, "gemini").schema).toMatchObject({ properties: { n: { format: "int32" } } });
  const told = lower(schema, "anthropic-strict");
  expect(told.schema).toMatchObject({ properties: { n: { description: "Format: int32." } } });
  expect(told.losses).toEqual([]);
});

test("branches that cannot meet are told apart through unions and discriminants that one side leaves optional", () => {
  const tagged = (kind: string, required: readonly string[]): SchemaObject => ({
    type: "object",
    properties: { kind: { const: kind } },
    required,
    additionalProperties: false,
  });
  const oneOf = [{ anyOf: [tagged("a", ["kind"]), { type: "array" }] }, tagged("b", []), { type: "string" }] as const;
  const { losses } = lower(
    { type: "object", properties: { x: { oneOf } }, required: ["x"], additionalProperties: false },
    "gemini-json-schema",
  );
  expect(losses.map(({ keyword }) => keyword)).not.toContain("oneOf");
});

describe("where each object must require something", () => {
  const inner = (schema: SchemaObject): SchemaObject => ({
    type: "object",
    properties: { a: schema },
    required: ["a"],
    additionalProperties: false,
  });

  test.each<SchemaObject>([
    { type: "object" },
    { type: "object", properties: {} },
    { type: "object", properties: {}, additionalProperties: false },
    { type: "object", properties: { b: { type: "string" } } },
    { type: "object", required: ["b"] },
  ])("%j that requires nothing the dialect knows is text below the root, and refused at the root", (schema) => {
    const result = lower(inner(schema), "cohere-v2-strict", { flat });
    expect((result.schema as SchemaObject).properties?.["a"]).toMatchObject({ type: "string" });
    expect(result.decode(result.encode({ a: { b: "x" } }))).toEqual({ a: { b: "x" } });
    const root = lower(schema, "cohere-v2-strict", { flat });
    expect(root.schema).toBeUndefined();
    expect(root.diagnostics.map(({ code }) => code)).toEqual(["lower/nothing-required"]);
  });

  test("undeclared keys at the root are a list that is required", () => {
    const result = lower({ type: "object", additionalProperties: { type: "string" } }, "cohere-v2-strict", { flat });
    expect((result.schema as SchemaObject).required).toEqual(["other_properties"]);
    expect(result.decode(result.encode({ b: "x" }))).toEqual({ b: "x" });
  });
});

test.each<SchemaObject>([{ type: "object" }, { const: "blue" }])(
  "a branch whose further values contradict those beside the union lists nothing, %j",
  (values) => {
    const named = (kind: string): SchemaObject => ({
      type: "object",
      properties: { kind: { const: kind } },
      required: ["kind"],
    });
    const target: SchemaObject = {
      type: "object",
      properties: {},
      additionalProperties: { enum: ["red", "two"] },
      oneOf: [named("two"), { ...named("red"), additionalProperties: values }],
    };
    const once = lower({ type: "object", properties: { target }, additionalProperties: false }, "gemini");
    expect(once.diagnostics).toEqual([]);
    const twice = lower(once.schema ?? false, "gemini");
    expect(twice.diagnostics).toEqual([]);
    for (const value of [{ target: { kind: "two", a: "red" } }, { target: { kind: "red" } }]) {
      expect(once.decode(once.encode(value))).toEqual(value);
    }
  },
);
