import { describe, expect, test } from "vitest";
import type { ToolDefinition } from "./definition.js";
import { FAIL_CLOSED_DEFAULTS } from "./fields.js";
import { buildTool } from "./tool.js";

const minimal = {
  name: "look",
  description: "Looks.",
  input: { type: "object", properties: { at: { type: "string" } } },
  execute: () => "seen",
} satisfies ToolDefinition;

function build(parts: object): ReturnType<typeof buildTool> {
  return buildTool({ ...minimal, ...parts } as ToolDefinition);
}

describe("a tool that states nothing", () => {
  test("a tool without statements has every fail-closed default", () => {
    expect(build({}).metadata).toEqual(FAIL_CLOSED_DEFAULTS);
  });

  test("a tool without statements is classified strictly, whatever the input", () => {
    const strict = {
      class: "UNSAFE",
      isReadOnly: false,
      isDestructive: true,
      isIdempotent: false,
      isOpenWorld: true,
      returnsUntrusted: true,
      returnsPrivate: true,
      requiresPermission: true,
    };
    expect(build({}).classify({})).toEqual(strict);
    expect(build({}).classify(undefined)).toEqual(strict);
    expect(build({}).isConcurrencySafe({})).toBe(false);
  });

  test("buildTool treats `undefined` as omitted, in every group", () => {
    const tool = build({
      title: undefined,
      concurrency: { class: undefined, rules: undefined },
      behavior: { isDestructive: undefined, requiresPermission: undefined },
      limits: { timeoutSeconds: undefined },
    });
    expect(tool.metadata).toEqual(FAIL_CLOSED_DEFAULTS);
    expect("title" in tool).toBe(false);
  });

  test("a tool without statements has a closed input and is frozen", () => {
    const tool = build({});
    expect(tool.input).toMatchObject({ additionalProperties: false });
    expect(Object.isFrozen(tool)).toBe(true);
    expect(Object.isFrozen(tool.metadata.behavior)).toBe(true);
    expect(Object.isFrozen(tool.input)).toBe(true);
  });
});

test("an input that is closed already passes unchanged", () => {
  const input = Object.freeze({ type: "object", properties: { at: { type: "string" } }, additionalProperties: false });
  expect(build({ input }).input).toEqual(input);
});

test("the author's own objects are not frozen", () => {
  const input = { type: "object", properties: { at: { type: "string" } }, additionalProperties: false };
  const output = { type: "string" };
  build({ input, output });
  expect(Object.isFrozen(input)).toBe(false);
  expect(Object.isFrozen(output)).toBe(false);
});

test("READ_ONLY entails read-only, not destructive, idempotent; never permission, a closed world or public results", () => {
  const { behavior } = build({ concurrency: { class: "READ_ONLY" } }).metadata;
  expect(behavior).toMatchObject({ isReadOnly: true, isDestructive: false, isIdempotent: true });
  expect(behavior).toMatchObject({
    requiresPermission: true,
    isOpenWorld: true,
    returnsUntrusted: true,
    returnsPrivate: true,
  });
});

test("a read-only tool need not run beside others", () => {
  const tool = build({ behavior: { isReadOnly: true } });
  expect(tool.isConcurrencySafe({})).toBe(false);
  expect(tool.metadata.behavior.isDestructive).toBe(true);
});

describe("the decision table", () => {
  const rules = [
    { when: (input: { mode: string }) => input.mode === "read", class: "READ_ONLY" },
    {
      when: (input: { mode: string }) => input.mode.startsWith("scratch"),
      class: "WRITE_EXCLUSIVE",
      isDestructive: false,
    },
  ];
  const tool = build({ concurrency: { rules }, behavior: { requiresPermission: false } });

  test("the decision table applies the first matching row, with what its class entails", () => {
    expect(tool.classify({ mode: "read" })).toEqual({
      class: "READ_ONLY",
      isReadOnly: true,
      isDestructive: false,
      isIdempotent: true,
      isOpenWorld: true,
      returnsUntrusted: true,
      returnsPrivate: true,
      requiresPermission: false,
    });
    expect(tool.isConcurrencySafe({ mode: "read" })).toBe(true);
  });

  test("the decision table keeps the tool's own value if a row omits it, or no row matches", () => {
    expect(tool.classify({ mode: "scratch-1" })).toMatchObject({
      class: "WRITE_EXCLUSIVE",
      isDestructive: false,
      isIdempotent: false,
    });
    expect(tool.classify({ mode: "write" })).toMatchObject({ class: "UNSAFE", isDestructive: true });
  });

  test("the decision table gives UNSAFE, and the strict value of every flag that any row names, if a row throws", () => {
    const mild = build({
      behavior: { isDestructive: false, requiresPermission: false, isIdempotent: true },
      concurrency: {
        class: "WRITE_EXCLUSIVE",
        rules: [
          {
            when: () => {
              throw new Error("no");
            },
            class: "READ_ONLY",
          },
        ],
      },
    });
    expect(mild.classify({})).toEqual({
      class: "UNSAFE",
      isReadOnly: false,
      isDestructive: true,
      isIdempotent: false,
      isOpenWorld: true,
      returnsUntrusted: true,
      returnsPrivate: true,
      requiresPermission: false,
    });
    expect(mild.isConcurrencySafe({})).toBe(false);
  });

  test.each([
    ["truthy", () => 1],
    ["a promise", () => Promise.resolve(true)],
    ["undefined", () => undefined],
  ])("the decision table matches only on true, not on %s", (_name, when) => {
    const odd = build({ concurrency: { rules: [{ when, class: "READ_ONLY" }] } });
    expect(odd.classify({}).class).toBe("UNSAFE");
  });
});

describe("a flag that varies alone", () => {
  const tool = build({
    behavior: {
      isDestructive: { unless: (input: { dry: boolean }) => input.dry },
      isIdempotent: { when: (input: { dry: boolean }) => input.dry },
    },
  });

  test("a varying flag follows its predicate, and is strict in the static metadata", () => {
    expect(tool.classify({ dry: true })).toMatchObject({ isDestructive: false, isIdempotent: true });
    expect(tool.classify({ dry: false })).toMatchObject({ isDestructive: true, isIdempotent: false });
    expect(tool.metadata.behavior).toMatchObject({ isDestructive: true, isIdempotent: false });
  });

  test("a varying flag is strict if the predicate throws or answers no boolean", () => {
    const odd = build({
      behavior: { isDestructive: { when: () => undefined }, requiresPermission: { when: () => 0 } },
    });
    expect(odd.classify({})).toMatchObject({ isDestructive: true, requiresPermission: true });
    expect(tool.classify(null)).toMatchObject({ isDestructive: true, isIdempotent: false });
  });
});

describe("buildTool refuses", () => {
  const when = (): boolean => true;
  test.each([
    ["a name with a space", { name: "look up" }, /`name` must begin with a letter/],
    ["a name of 65 characters", { name: "a".repeat(65) }, /at most 64/],
    ["the prefix of MCP tools", { name: "mcp__x" }, /reserved for tools of MCP servers/],
    ["tool_search", { name: "tool_search" }, /reserved for the tool that loads/],
    ["a key of a group", { searchHint: "x" }, /`searchHint` belongs under `visibility`/],
    ["an unknown key", { destructive: true }, /`destructive` is unknown; known here: name/],
    ["an unknown key in a group", { behavior: { isSafe: true } }, /`behavior\.isSafe` is unknown/],
    ["a key `__proto__`", JSON.parse('{"behavior":{"__proto__":true}}') as object, /`behavior\.__proto__` is unknown/],
    [
      "an unknown class",
      { concurrency: { class: "SAFE" } },
      /`concurrency\.class` must be UNSAFE, WRITE_EXCLUSIVE or READ_ONLY/,
    ],
    [
      "a flag that is no boolean",
      { behavior: { isDestructive: "no" } },
      /`behavior\.isDestructive` must be true or false, or `\{ when \}`/,
    ],
    [
      "a claim with two predicates",
      { behavior: { isDestructive: { when, unless: when } } },
      /must be true or false, or `\{ when \}`/,
    ],
    ["no description", { description: "" }, /`description` is missing/],
    ["no execute", { execute: undefined }, /`execute` is missing/],
    ["execute though it is external", { external: true }, /`execute` contradicts `external: true`/],
    ["external that is not true", { external: false }, /`external` must be true/],
    ["an alias that is the name", { aliases: ["look"] }, /own name/],
    ["an alias given twice", { aliases: ["see", "see"] }, /is a duplicate/],
    ["an alias that is reserved", { aliases: ["mcp__a__b"] }, /reserved for tools/],
    ["no known word", { visibility: "sometimes" }, /`visibility.load` must be normal, deferred or always/],
    [
      "READ_ONLY and destructive",
      { concurrency: { class: "READ_ONLY" }, behavior: { isDestructive: true } },
      /contradicts `class: READ_ONLY`: READ_ONLY entails isReadOnly: true, isDestructive: false and/,
    ],
    [
      "READ_ONLY and not idempotent",
      { concurrency: { class: "READ_ONLY" }, behavior: { isIdempotent: false } },
      /contradicts/,
    ],
    ["read-only and destructive", { behavior: { isReadOnly: true, isDestructive: true } }, /change one of the two/],
    [
      "a READ_ONLY row that destroys",
      { concurrency: { rules: [{ when, class: "READ_ONLY", isDestructive: true }] } },
      /concurrency\.rules\[0\]\.isDestructive/,
    ],
    [
      "a row stricter than the tool",
      { concurrency: { class: "READ_ONLY", rules: [{ when, class: "UNSAFE" }] } },
      /stricter than the tool's own class/,
    ],
    ["a row without a class", { concurrency: { rules: [{ when }] } }, /needs `when` and `class`/],
    ["a function as a row", { concurrency: { rules: [when] } }, /`concurrency.rules` must be a list of objects/],
    ["a function as an example", { examples: [when] }, /`examples` must be a list of objects/],
    ["a timeout of nothing", { limits: { timeoutSeconds: 0 } }, /a number of seconds above 0, or unlimited/],
    [
      "a timeout that is no number",
      { limits: { timeoutSeconds: Number.NaN } },
      /a number of seconds above 0, or unlimited/,
    ],
    ["half a retry", { limits: { maxRetries: 0.5 } }, /a whole number/],
    ["a check without a message", { validate: [{ that: when }] }, /needs `that` and `message`/],
  ])("buildTool refuses %s", (_name, parts, message) => {
    expect(() => build(parts)).toThrow(TypeError);
    expect(() => build(parts)).toThrow(message);
  });

  test.each<[string, object, RegExp]>([
    [
      "beside it",
      { allOf: [{ properties: { a: {} }, additionalProperties: false }, { properties: { b: {} } }] },
      /input: `allOf` is not accepted here/,
    ],
    [
      "that it refers to",
      {
        properties: { x: { $ref: "#/$defs/Closed", properties: { "b/c": {} } } },
        $defs: { Closed: { properties: { a: {} }, additionalProperties: false } },
      },
      /input\/properties\/x: the `\$ref` to "#\/\$defs\/Closed" is not accepted here/,
    ],
    [
      "around it",
      { properties: { a: {} }, additionalProperties: false, allOf: [{ allOf: [{ properties: { b: {} } }] }] },
      /input: `allOf` is not accepted here/,
    ],
  ])("buildTool refuses a property that a schema %s forbids", (_name, input, message) => {
    expect(() => build({ input: { type: "object", ...input } as never })).toThrow(message);
  });

  const tree = { type: "object", properties: { kids: { type: "array", items: { $ref: "#/$defs/tree" } } } };
  test.each<[string, object, RegExp]>([
    [
      "a default of another type",
      { a: { type: "integer", default: "x" } },
      /input\/properties\/a: the default "x" is not valid/,
    ],
    [
      "a default that is valid once coerced",
      { a: { type: "integer", default: "10" } },
      /the default "10" is not valid/,
    ],
    [
      "a default out of bounds",
      { a: { type: "array", items: { type: "integer", maximum: 1, default: 2 } } },
      /input\/properties\/a\/items: the default 2 is/,
    ],
    [
      "a default in a union",
      { a: { anyOf: [{ type: "string" }, { type: "null", default: 0 }] } },
      /anyOf\/1: the default 0/,
    ],
    [
      "a $ref",
      { a: { $ref: "#/$defs/text" } },
      /input\/properties\/a: the `\$ref` to "#\/\$defs\/text" .*`flatten` of "@hasp\/schema"/,
    ],
    ["an allOf", { a: { allOf: [{ type: "string" }] } }, /input\/properties\/a: `allOf` is not accepted here/],
    [
      "an unknown keyword",
      { a: { type: "string", minLenght: 1 } },
      /input\/properties\/a: JSON Schema has no keyword "minLenght"/,
    ],
  ])("buildTool refuses a schema with %s", (_name, properties, message) => {
    const $defs = { text: { type: "string" }, tree };
    expect(() => build({ input: { type: "object", properties, $defs } as never })).toThrow(message);
    const output = { type: "object", properties, $defs } as never;
    expect(() => build({ output })).toThrow(new RegExp(message.source.replace("input", "output"), "u"));
  });

  test("buildTool refuses a default of an input that fills itself without end", () => {
    const properties = { c: { $ref: "#", default: {} } };
    expect(() => build({ input: { type: "object", properties } as never })).toThrow(
      /input\/properties\/c: the default {} fills itself without end/,
    );
    // Nothing fills the defaults of an output.
    expect(() => build({ output: { type: "object", properties } as never })).not.toThrow();
  });

  test("buildTool refuses an example with another key, or without an input", () => {
    expect(() => build({ examples: [{ input: {}, expect: {} }] as never })).toThrow(
      /`examples\[0\]\.expect` is unknown/,
    );
    expect(() => build({ examples: [{}] as never })).toThrow(/`examples\[0\]` needs `input`/);
  });

  test("buildTool accepts a recursion, a note or a valid default", () => {
    const properties = {
      a: { $ref: "#/$defs/tree" },
      b: { type: "integer", default: 1, "x-note": 1 },
      c: { default: null },
      d: { $ref: "#/$defs/a%20tree" },
    };
    const $defs = { tree, "a tree": { type: "object", properties: { kid: { $ref: "#/$defs/a%20tree" } } } };
    expect(() => build({ input: { type: "object", properties, $defs } as never })).not.toThrow();
  });

  test("buildTool accepts a property that may be there, whatever its name", () => {
    const closed = {
      type: "object",
      properties: { allOf: { type: "string" }, $ref: {}, properties: {}, a: {} },
      additionalProperties: false,
    };
    const union = { anyOf: [closed, { type: "object", properties: { b: {} }, additionalProperties: false }] };
    for (const inner of [closed, union, { const: { allOf: [closed, union] } }]) {
      expect(() => build({ input: { type: "object", properties: { inner } } as never })).not.toThrow();
    }
  });

  test.each<[string, object, string]>([
    ["a schema that only strings notice", { minLength: 0 }, ""],
    ["an untyped object", { properties: { a: { type: "string" } } }, "/items"],
    ["a bare array", { type: "array" }, "/items"],
    ["a union of everything", { anyOf: [{ type: "string" }, { not: { type: "string" } }] }, "/anyOf/1"],
    [
      "a map of anything",
      { type: "object", patternProperties: { "^.*$": { maxLength: 9 } } },
      "/patternProperties/^.*$",
    ],
    [
      "a value of values",
      { anyOf: [{ type: "array", items: { $ref: "#/$defs/Value" } }, { $ref: "#/$defs/Value" }] },
      "",
    ],
  ])("buildTool refuses %s, which accepts anything without saying so", (_name, disguise, at) => {
    const Value = {
      anyOf: [
        { type: ["string", "null"] },
        { type: "array", items: { $ref: "#/$defs/Value" } },
        { type: "object", additionalProperties: { $ref: "#/$defs/Value" } },
      ],
    };
    const input = { type: "object", properties: { x: disguise }, $defs: { Value } };
    expect(() => build({ input })).toThrow(`input/properties/x${at}: this accepts any value`);
  });

  test("buildTool accepts a schema that plainly accepts anything", () => {
    for (const plain of [true, {}, { description: "Anything." }, { type: "array", items: true }]) {
      expect(() => build({ input: { type: "object", properties: { x: plain } } as never })).not.toThrow();
    }
  });

  test.each([{ pattern: "^(a*)=\\1$" }, { type: "object", patternProperties: { "^(a)=\\1$": { type: "string" } } }])(
    "buildTool refuses a pattern without a bound: %j",
    (part) => {
      const input = { type: "object", properties: { x: { type: "string", ...part } } };
      expect(() => build({ input })).toThrow(/input\/properties\/x: the pattern .* cannot be matched in linear time/);
    },
  );

  test("buildTool refuses a bare object, with the question which it is", () => {
    const fromSpec = {
      hasp: 1,
      tests: [],
      providers: { openai: { strict: false } },
      "x-team": "a",
      display: { running: "Looking for {id}" },
    };
    expect(build(fromSpec as never).display.running?.({ input: { id: "a1" } } as never)).toBe("Looking for a1");
    for (const input of [{ type: "string" }, true, { type: ["array", "null"] }] as const) {
      expect(() => build({ input })).toThrow(/`input` must describe an object/);
    }
    expect(() => build({ input: { type: "object" } })).toThrow(/Tool "look", input.*additionalProperties/s);
  });
});
