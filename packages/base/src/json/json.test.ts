import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { cloneJson, copyJson, deepFreeze } from "./copy-json.js";
import { createPortableSha256, sha256 } from "./sha256.js";

test("a digest is the same on every platform, whatever the text", () => {
  const portableSha256 = createPortableSha256();
  const digestsOf = (text: string): readonly string[] => [sha256(text), portableSha256(text)];
  const expected = (text: string): readonly string[] => {
    const digest = createHash("sha256").update(new TextEncoder().encode(text)).digest("hex");
    return [digest, digest];
  };
  const texts = fc.oneof(fc.string({ unit: "grapheme", maxLength: 200 }), fc.string({ unit: "binary", maxLength: 20 }));
  fc.assert(
    fc.property(texts, (text) => {
      expect(digestsOf(text)).toEqual(expected(text));
    }),
    { numRuns: 300 },
  );
  for (const length of [0, 55, 56, 63, 64, 65, 1000]) {
    expect(digestsOf("a".repeat(length))).toEqual(expected("a".repeat(length)));
  }
  for (const text of ["\ud800", "\udc00a", "a\ud83d"]) expect(digestsOf(text)).toEqual(expected(text));
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
