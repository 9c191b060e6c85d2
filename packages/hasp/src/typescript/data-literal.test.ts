import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import type { JsonValue } from "@hasp/schema";
import { format } from "prettier";
import { ts } from "ts-morph";
import { describe, expect, test } from "vitest";
import { brokenJson, dataLiteral } from "./data-literal.js";

// prettier-ignore
const hostileTexts = [
  "*/", "`${process.exit(1)}`", "</script><script>", "<!--", "\u2028\u2029", "it's", 'say "hi"', `both ' and "`, "\\",
  "a\tb\r\n", "\u202Eevil", "\uD800", "日本語の説明文", "👩‍👩‍👧‍👦 family", "é", "\0", "__proto__", "constructor", "class",
  "a-b", "1", "", "x".repeat(90),
];

const texts = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 90 }),
  fc.lorem({ maxCount: 14 }),
  fc.constantFrom(...hostileTexts),
);
const numbers = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(1e21, -0, 1e-7, 0.1),
);
const data: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    texts,
    numbers,
    fc.boolean(),
    fc.constant(null),
    fc.array(numbers, { maxLength: 30 }),
    fc.array(texts, { maxLength: 6 }),
    fc.array(tie("value"), { maxLength: 4 }),
    fc
      .array(
        fc.tuple(
          fc.oneof(fc.constantFrom(...hostileTexts), fc.string({ unit: fc.constantFrom(..."abcdeXYZ_$9-") })),
          tie("value"),
        ),
        { maxLength: 5 },
      )
      .map((entries) => Object.fromEntries(entries)),
  ),
})).value;

describe("TypeScript literals", () => {
  test("are laid out as prettier lays them out", async () => {
    await fc.assert(
      fc.asyncProperty(data, async (value) => {
        const text = `export const data: JsonValue = ${dataLiteral(value, { column: 31 })};\n`;
        // A bare scalar moves below its name when it is long; data literals are lists and objects.
        fc.pre(typeof value === "object" && value !== null);
        expect(text).toBe(await format(text, { parser: "typescript" }));
      }),
      { numRuns: 300 },
    );
  });

  test("are the value that they stand for, and execute nothing", async () => {
    await fc.assert(
      fc.asyncProperty(data, async (value) => {
        const source = `export const data = ${dataLiteral(value)};`;
        const { outputText } = ts.transpileModule(source, {
          compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
        });
        const module: { data: JsonValue } = await import(
          `data:text/javascript;base64,${Buffer.from(outputText).toString("base64")}`
        );
        expect(isDeepStrictEqual(module.data, value)).toBe(true);
        expect(source).not.toMatch(/<\/script|<!--|[\u2028\u2029\u202e]/iu);
      }),
      { numRuns: 200 },
    );
  });
});

describe("JSON texts", () => {
  test("are laid out as prettier lays them out, and read back", async () => {
    await fc.assert(
      fc.asyncProperty(data, async (value) => {
        const text = `${brokenJson({ value }, 0)}\n`;
        expect(text).toBe(await format(text, { parser: "json" }));
        expect(isDeepStrictEqual(JSON.parse(text), { value })).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});
