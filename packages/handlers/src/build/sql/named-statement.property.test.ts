import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { findSqlEffects } from "./effects.js";
import { parseNamedStatement } from "./named-statement.js";
import { loadSqlParser } from "./parser.js";
import { READING_STATEMENTS, WRITING_STATEMENTS } from "./statement.testing.js";

beforeAll(loadSqlParser);

test("returns a statement or a problem for any text, and never throws", () => {
  const words = [...READING_STATEMENTS, ...WRITING_STATEMENTS.map(({ statement }) => statement)].flatMap((text) =>
    text.split(/\b/u),
  );
  const soup = fc
    .array(
      fc.oneof(
        { weight: 5, arbitrary: fc.constantFrom(...words) },
        fc.constantFrom(
          "$a",
          "$$",
          "'",
          '"',
          "/*",
          "*/",
          "--",
          ";",
          "\\",
          "$t$",
          "\u0000",
          "é",
          "\ud83d\ude00",
          "$1",
          "E'",
          "U&'",
        ),
      ),
      { maxLength: 30 },
    )
    .map((list) => list.join(""));
  const cut = fc
    .tuple(fc.constantFrom(...READING_STATEMENTS), fc.nat(), fc.nat(), soup)
    .map(
      ([text, at, length, more]) =>
        text.slice(0, at % text.length) + more + text.slice((at % text.length) + (length % 20)),
    );
  fc.assert(
    fc.property(fc.oneof(soup, cut, fc.string({ unit: "binary" })), (text) => {
      const { problems, tree } = parseNamedStatement(text);
      expect(problems.length > 0).toBe(tree === undefined);
      for (const { start, end } of problems) expect(start >= 0 && start <= end && end <= text.length).toBe(true);
      expect(findSqlEffects({ statement: text }).length).toBeGreaterThan(0);
    }),
  );
});
