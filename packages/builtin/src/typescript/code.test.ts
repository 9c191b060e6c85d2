import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import type { JsonValue } from "@hasp/schema";
import { format } from "prettier";
import { Node, ts } from "ts-morph";
import { describe, expect, test } from "vitest";
import {
  code,
  printDocComment,
  printLineComment,
  literal,
  name,
  printObjectLiteral,
  propertyName,
  formatModule,
} from "@hasp/compiler/code";
import { printJson } from "./json-text.js";
import { parseModules } from "./parser.js";

// prettier-ignore
const hostileTexts = [
  "*/", "`${process.exit(1)}`", "</script><script>", "<!--", "\u2028\u2029", "it's", 'say "hi"', `both ' and "`, "\\",
  "a\tb\r\n", "\u202Eevil", "\uD800", "日本語の説明文", "👩‍👩‍👧‍👦 family", "é", "\0", "__proto__", "constructor", "class",
  "a-b", "1", "", "x".repeat(90), '"; globalThis.pwned = 1; "', "\n// @ts-nocheck",
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

describe("literals", () => {
  test("both formatters lay out a literal alike", async () => {
    await fc.assert(
      fc.asyncProperty(data, async (value) => {
        const module = code`export const data: JsonValue = ${literal(value)};`;
        expect(await formatModule(module)).toBe(await format(module.text, { parser: "typescript" }));
      }),
      { numRuns: 100 },
    );
  });

  test("a literal evaluates to its value and executes nothing", async () => {
    await fc.assert(
      fc.asyncProperty(data, async (value) => {
        const source = await formatModule(code`export const data = ${literal(value)};`);
        const { outputText } = ts.transpileModule(source, {
          compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
        });
        const module: { data: JsonValue } = await import(
          `data:text/javascript;base64,${Buffer.from(outputText).toString("base64")}`
        );
        expect(isDeepStrictEqual(module.data, value)).toBe(true);
        expect(source).not.toMatch(/<\/script|<!--|[\u2028\u2029\u202e]/iu);
      }),
      { numRuns: 100 },
    );
  });
});

test("text in any place of a module adds no statement", () => {
  fc.assert(
    fc.property(texts, (text) => {
      const module = code`${printLineComment(text)}
${printDocComment([text, `  ${text}`], ["@deprecated"])}export interface A { readonly ${propertyName(text)}: ${literal(text)}; }
import { a } from ${literal(text)};
const b = ${printObjectLiteral({ [text]: text })};
`;
      const [parsed] = parseModules([{ path: "a.ts", text: module.text }]);
      expect(parsed?.syntaxErrors).toEqual([]);
      const statements = parsed?.source.getStatements() ?? [];
      expect(statements.map((statement) => statement.getKindName())).toEqual([
        "InterfaceDeclaration",
        "ImportDeclaration",
        "VariableStatement",
      ]);
      const [, imported] = statements;
      expect(Node.isImportDeclaration(imported) && imported.getModuleSpecifierValue()).toBe(text);
    }),
  );
});

test.each([
  ["at the start of a line", "@internal"],
  ["after spaces that are not ASCII", "\u00a0\u3000@internal"],
  ["after a word before which the line breaks", `${"word ".repeat(14)} @internal`],
])("a documentation comment turns no text %s into a tag", (_place, text) => {
  const [parsed] = parseModules([{ path: "a.ts", text: code`${printDocComment([text])}export interface A {}`.text }]);
  const [statement] = parsed?.source.getStatements() ?? [];
  const comments = Node.isInterfaceDeclaration(statement) ? statement.getJsDocs() : [];
  expect(comments).toHaveLength(1);
  expect(comments.flatMap((comment) => comment.getTags())).toEqual([]);
  expect(printLineComment(text).text).not.toMatch(/^\/\/\s*@/u);
});

test("only an identifier is a name", () => {
  expect(name("é$_1").text).toBe("é$_1");
  for (const text of ["", "a-b", "1a", "a b", 'a"', "a\u2028", "a;b"]) {
    expect(() => name(text)).toThrow("is not an identifier");
  }
});

test("JSON is read back, and no line is wider than the page for a list or object that fits", () => {
  fc.assert(
    fc.property(data, (value) => {
      const text = printJson({ value }, 0);
      expect(isDeepStrictEqual(JSON.parse(text), { value })).toBe(true);
      const wide = text.split("\n").filter((line) => line.length > 80);
      expect(wide.filter((line) => /[[{].*[\]}],?$/u.test(line) && !line.includes('"'))).toEqual([]);
    }),
  );
});
