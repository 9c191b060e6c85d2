import { describe, expect, test } from "vitest";
import type { JsonValue } from "@hasp/base/json";
import type { Codec } from "./codec.js";
import { decode, encode, type DecodeFault } from "./index.js";

function roundTrip(codec: Codec, value: JsonValue, sent: JsonValue): void {
  expect(encode(codec, value)).toEqual(sent);
  expect(decode(codec, sent)).toEqual(value);
}

describe("round trips", () => {
  test("absent is null, and a value that may be null is wrapped", () => {
    const codec: Codec = { kind: "object", properties: { a: { absent: "null" }, b: { absent: "wrapped" } } };
    roundTrip(codec, {}, { a: null, b: null });
    roundTrip(codec, { a: 1, b: null }, { a: 1, b: { value: null } });
    roundTrip(codec, { b: { value: 1 } }, { a: null, b: { value: { value: 1 } } });
  });

  test("renamed keys; a key of the user's own that is a wire name changes places with it", () => {
    const codec: Codec = { kind: "object", properties: { "max rows": { wire: "max_rows" } } };
    roundTrip(codec, { "max rows": 1 }, { max_rows: 1 });
    roundTrip(codec, { "max rows": 1, max_rows: 2 }, { max_rows: 1, "max rows": 2 });
    roundTrip(codec, { max_rows: 2 }, { "max rows": 2 });
  });

  test("a map is a list of pairs, the rest of an object too", () => {
    roundTrip({ kind: "pairs", value: { kind: "text" } }, { a: [1] }, [{ key: "a", value: "[1]" }]);
    const codec: Codec = { kind: "object", properties: {}, rest: { wire: "more", declared: ["a"] } };
    roundTrip(codec, { a: 1, b: 2 }, { a: 1, more: [{ key: "b", value: 2 }] });
  });

  test("a tuple is an object and keeps its length", () => {
    const codec: Codec = {
      kind: "tuple",
      names: ["item0", "item1"],
      rest: "rest",
      value: { kind: "object", properties: { item0: { absent: "null" }, item1: { absent: "null" } } },
    };
    roundTrip(codec, [], { item0: null, item1: null, rest: [] });
    roundTrip(codec, [1], { item0: 1, item1: null, rest: [] });
    roundTrip(codec, [1, 2, 3], { item0: 1, item1: 2, rest: [3] });
  });

  test("recursion goes by name", () => {
    const codec: Codec = {
      kind: "definitions",
      definitions: {
        Node: { kind: "object", properties: { next: { absent: "null", value: { kind: "reference", name: "Node" } } } },
      },
      root: { kind: "reference", name: "Node" },
    };
    roundTrip(codec, { next: { next: {} } }, { next: { next: { next: null } } });
  });

  test("a union takes the branch that fits", () => {
    const codec: Codec = {
      kind: "union",
      branches: [
        { accepts: { type: "string" }, wire: { type: "string" } },
        { accepts: { type: "object" }, wire: { type: "array" }, value: { kind: "pairs" } },
      ],
    };
    roundTrip(codec, "a", "a");
    roundTrip(codec, { a: 1 }, [{ key: "a", value: 1 }]);
    expect(decode(codec, 5)).toBe(5);
  });
});

describe("what a model may send instead", () => {
  test.each<[string, Codec, JsonValue]>([
    [
      "a list that names a key twice",
      { kind: "pairs" },
      [
        { key: "a", value: 1 },
        { key: "a", value: 2 },
      ],
    ],
    ["pairs without a key", { kind: "pairs" }, [{ value: 1 }]],
    ["a map as a map", { kind: "pairs" }, { a: 1 }],
    ["text that is no JSON", { kind: "text" }, "{"],
    ["a value in the place of text", { kind: "text" }, 5],
    ["a tuple with a hole", { kind: "tuple", names: ["a", "b"] }, { b: 1 }],
    ["a tuple with a further key", { kind: "tuple", names: ["a"] }, { a: 1, z: 1 }],
    ["a value without its wrapper", { kind: "wrap", wire: "input" }, { other: 1 }],
    ["a scalar in the place of an object", { kind: "object", properties: { a: { absent: "null" } } }, 7],
    ["the name of no definition", { kind: "reference", name: "toString" }, { a: 1 }],
  ])("%s stays as it is", (_, codec, value) => {
    expect(decode(codec, value)).toEqual(value);
  });

  test("text that is not exact JSON is a fault at its place on the wire, wherever it stands", () => {
    const text: Codec = { kind: "text" };
    const codec: Codec = {
      kind: "wrap",
      wire: "input",
      value: {
        kind: "object",
        properties: {
          a: { wire: "a/1", absent: "null", value: text },
          b: { absent: "wrapped", value: text },
          list: { value: { kind: "array", items: text } },
          pair: {
            value: {
              kind: "tuple",
              names: ["item0"],
              value: { kind: "object", properties: { item0: { value: text } } },
            },
          },
        },
        rest: { wire: "more", declared: ["a", "b", "list", "pair"], value: text },
      },
    };
    const faultsOf = (sent: JsonValue): readonly string[] => {
      const faults: DecodeFault[] = [];
      decode(codec, { input: sent }, faults);
      return faults.map(({ message }) => message);
    };
    expect(faultsOf({ "a/1": "not json", b: { value: "{" }, list: ["1", "x"] })).toEqual([
      '`/input/a~11` must be JSON text; you sent "not json".',
      '`/input/b/value` must be JSON text; you sent "{".',
      '`/input/list/1` must be JSON text; you sent "x".',
    ]);
    expect(faultsOf({ pair: { item0: "y" }, more: [{ key: "k", value: '{"id":9007199254740993}' }] })).toEqual([
      '`/input/pair/item0` must be JSON text; you sent "y".',
      "`/input/more/0/value` holds the number 9007199254740993, which has too many digits to be kept exactly; send an identifier as a string.",
    ]);
    expect(faultsOf({ "a/1": null, b: { value: "null" }, list: ["1"], pair: { item0: '"y"' }, more: [] })).toEqual([]);
    expect(faultsOf({ list: Array.from({ length: 1000 }, () => "x") })).toHaveLength(20);
  });

  test("values nested without end neither overflow nor hang", () => {
    const codec: Codec = {
      kind: "definitions",
      definitions: { List: { kind: "array", items: { kind: "reference", name: "List" } } },
      root: { kind: "reference", name: "List" },
    };
    let deep: JsonValue = [];
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    expect(() => decode(codec, deep)).not.toThrow();
  });
});

describe("names from Object.prototype", () => {
  const hostile = JSON.parse('{"__proto__":{"polluted":true},"constructor":1,"toString":null}') as JsonValue;

  test("a name from Object.prototype is a key like any other, and no prototype changes", () => {
    const codec: Codec = { kind: "object", properties: {}, additional: { kind: "text" } };
    const sent = encode(codec, hostile);
    expect(Object.keys(sent as object)).toEqual(["__proto__", "constructor", "toString"]);
    expect(JSON.stringify(decode(codec, sent))).toBe(JSON.stringify(hostile));
    expect(Object.getPrototypeOf(decode(codec, sent))).toBe(Object.prototype);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test("a name from Object.prototype survives as a key of a map", () => {
    const sent = encode({ kind: "pairs" }, hostile);
    expect(JSON.stringify(decode({ kind: "pairs" }, sent))).toBe(JSON.stringify(hostile));
  });

  test("a name from Object.prototype is not found where no property declares it", () => {
    const codec: Codec = { kind: "object", properties: { a: { absent: "null" } } };
    expect(JSON.stringify(decode(codec, hostile))).toBe(JSON.stringify(hostile));
  });
});
