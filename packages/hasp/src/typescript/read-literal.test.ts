import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import type { JsonValue } from "@hasp/schema";
import { expect, test } from "vitest";
import { code, literal } from "./code.js";
import { formatModule } from "./format.js";
import { readConstants } from "./read-literal.js";

test("what is printed is read back as the same value", async () => {
  const data = fc.jsonValue({ maxDepth: 4, noUnicodeString: false }) as fc.Arbitrary<JsonValue>;
  const withHostileKeys = fc
    .dictionary(fc.constantFrom("__proto__", "constructor", "a-b", "*/", "説明", "1", "\u2028"), data)
    .map((record) => ({ ...record }));
  await fc.assert(
    fc.asyncProperty(fc.oneof(data, withHostileKeys), async (value) => {
      const printed = code`const before: string = "x";\n\nexport const value: JsonValue = ${literal(value)};`;
      const constants = readConstants(await formatModule(printed));
      expect(isDeepStrictEqual(constants.get("value"), value)).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test("names stand for what was read before, and code is no data", () => {
  const constants = readConstants(
    'const a: string = "x";\nconst b: Data = { a, c: [a] };\nconst d: Data = { f: (x) => x };\n',
  );
  expect(constants.get("b")).toEqual({ a: "x", c: ["x"] });
  expect(constants.has("d")).toBe(false);
});
