import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { cloneJson, copyJson } from "./copy-json.js";
import { deepFreeze } from "./deep-freeze.js";
import { sha256 } from "./sha256.js";

test("sha256 is what node:crypto says", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (text) => {
      expect(sha256(text)).toBe(createHash("sha256").update(text).digest("hex"));
    }),
    { numRuns: 300 },
  );
  for (const length of [0, 55, 56, 63, 64, 65, 1000]) {
    expect(sha256("a".repeat(length))).toBe(createHash("sha256").update("a".repeat(length)).digest("hex"));
  }
});

test("copies are equal, share nothing, and keep `__proto__` a key like any other", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      const json = JSON.parse(JSON.stringify(value)) as ReturnType<typeof copyJson>;
      for (const copy of [copyJson(json), cloneJson(deepFreeze(json))]) {
        expect(JSON.stringify(copy)).toBe(JSON.stringify(json));
        if (typeof copy === "object" && copy !== null) expect(copy).not.toBe(json);
        expect(Object.isFrozen(copy) && typeof copy === "object" && copy !== null && Object.keys(copy).length > 0).toBe(
          false,
        );
      }
    }),
  );
  const hostile = JSON.parse('{"__proto__":{"x":{"y":1}},"a":{"__proto__":[1]}}') as ReturnType<typeof copyJson>;
  for (const copy of [copyJson(hostile), cloneJson(hostile)]) {
    expect(JSON.stringify(copy)).toBe(JSON.stringify(hostile));
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
  }
});
