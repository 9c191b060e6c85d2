import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import type { JsonValue } from "@hasp/schema";
import { expect, test } from "vitest";
import { dataConstant } from "./object-text.js";
import { readConstants } from "./read-literal.js";

test("what is printed is read back as the same value", () => {
  const data = fc.jsonValue({ maxDepth: 4, noUnicodeString: false }) as fc.Arbitrary<JsonValue>;
  const withHostileKeys = fc
    .dictionary(fc.constantFrom("__proto__", "constructor", "a-b", "*/", "説明", "1", "\u2028"), data)
    .map((record) => ({ ...record }));
  fc.assert(
    fc.property(fc.oneof(data, withHostileKeys), (value) => {
      const constants = readConstants(
        `const before: string = "x";\n\nexport ${dataConstant("const value: JsonValue", value)}`,
      );
      expect(isDeepStrictEqual(constants.get("value"), value)).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

test("names stand for what was read before, and code is no data", () => {
  const constants = readConstants(
    'const a: string = "x";\nconst b: Data = { a, c: [a] };\nconst d: Data = { f: (x) => x };\n',
  );
  expect(constants.get("b")).toEqual({ a: "x", c: ["x"] });
  expect(constants.has("d")).toBe(false);
});
