import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalText } from "@hasp/base/json";
import { createEqualityKey } from "./equality.js";

test("canonical text does not depend on the order of keys", () => {
  expect(canonicalText({ b: [1, { d: null, c: "x" }], a: true })).toBe('{"a":true,"b":[1,{"c":"x","d":null}]}');
  expect(canonicalText(JSON.parse('{"__proto__":1,"a":2}'))).toBe('{"__proto__":1,"a":2}');
  // A key that begins another is before it, whatever follows.
  expect(canonicalText({ "a b": 1, a: 2, "a!": 3 })).toBe('{"a":2,"a b":1,"a!":3}');
  expect(canonicalText({ a: undefined, b: [undefined, -0] })).toBe('{"b":[null,0]}');
});

test("canonical text is JSON of an equal value, and texts are equal exactly where values are", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 3 }), fc.jsonValue({ maxDepth: 3 }), (left, right) => {
      const [one, other] = [canonicalText(left), canonicalText(right)];
      expect(JSON.parse(one)).toEqual(JSON.parse(JSON.stringify(left)));
      expect(one === other).toBe(createEqualityKey(left) === createEqualityKey(right));
    }),
  );
});
