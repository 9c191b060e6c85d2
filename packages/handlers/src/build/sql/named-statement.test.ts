import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { parseNamedStatement, type NamedStatement } from "./named-statement.js";
import { loadSqlParser } from "./parser.js";

beforeAll(loadSqlParser);

const translated = (statement: string): readonly [string, ...(readonly string[])] => {
  const { text, names, problems } = parseNamedStatement(statement);
  expect(problems).toEqual([]);
  return [text, ...names];
};

test.each([
  ["SELECT $a, $b, $a", "SELECT $1, $2, $1", "a", "b"],
  ["SELECT $a::int+$b", "SELECT $1::int+$2", "a", "b"],
  ["SELECT $context.accountId, $input.order.id", "SELECT $1, $2", "context.accountId", "input.order.id"],
  ["SELECT $input, $order, $limit", "SELECT $1, $2, $3", "input", "order", "limit"],
  ["SELECT x.$a FROM x", undefined],
  ["SELECT '$a', E'\\'$b', \"$c\" FROM x", "SELECT '$a', E'\\'$b', \"$c\" FROM x"],
  ["SELECT $$ $a $$, $tag$ $b $$ $tag$", "SELECT $$ $a $$, $tag$ $b $$ $tag$"],
  ["SELECT 1 -- $a\n, $b /* $c /* $d */ $e */", "SELECT 1 -- $a\n, $1 /* $c /* $d */ $e */", "b"],
  ["SELECT a$b FROM x", "SELECT a$b FROM x"],
  ["SELECT 'é$a', $größe", "SELECT 'é$a', $1", "größe"],
  ["SELECT data->>$key #> $path FROM x;", "SELECT data->>$1 #> $2 FROM x;", "key", "path"],
])("numbers the parameters of %s", (statement, text, ...names) => {
  if (text === undefined) expect(parseNamedStatement(statement).problems).toMatchObject([{ variant: "syntax" }]);
  else expect(translated(statement)).toEqual([text, ...names]);
});

describe("what is no statement is refused at its place", () => {
  const problemOf = (statement: string): readonly [string | undefined, string] => {
    const [problem, ...others] = parseNamedStatement(statement).problems;
    expect(others).toEqual([]);
    return [problem?.variant, statement.slice(problem?.start, problem?.end)];
  };
  test.each([
    ["SELECT 'é', $customer FROM WHERE x", "syntax", "W"],
    ["SELECT $customer FROM (x", "syntax", "x"],
    ["SELECT 1; DELETE FROM users", "several", "DELETE FROM users"],
    ["SELECT $a; ; SELECT $b -- c", "several", "SELECT $b -- c"],
    ["SELECT $1", "numbered", "$1"],
    ["-- nothing", "none", "-- nothing"],
    ["  ", "none", "  "],
    ["SELECT 'abc", "unclosed", "SELECT 'abc"],
    ["SELECT $a$b FROM x", "unclosed", "SELECT $a$b FROM x"],
    ["SELECT 1\0; DELETE FROM users", "no-text", "SELECT 1\0; DELETE FROM users"],
    ['SELECT $"a b"', "syntax", "$"],
    ["SELECT $ a", "syntax", "$"],
    ["SELECT 1$a", "syntax", "$"],
    [`SELECT ${"(".repeat(20_000)}1`, "syntax", "("],
    [`SELECT 1${"+1".repeat(24_000)}`, "syntax", "S"],
  ])("refuses %s at its place", (statement, variant, place) => {
    expect(problemOf(statement)).toEqual([variant, place]);
  });

  test("refuses a long statement without parsing it", () => {
    expect(parseNamedStatement(`SELECT '${"x".repeat(50_000)}'`).problems).toMatchObject([{ variant: "long" }]);
  });
});

/** Texts that look like parameters but are none. */
const quoted = fc.oneof(
  fc.string({ unit: "grapheme" }).map((text) => `'${text.replaceAll(/['\\\0]/gu, "")}$no'`),
  fc.string().map((text) => `$q$${text.replaceAll(/[$\0]/gu, "")}$no $q$`),
  fc.string().map((text) => `/*${text.replaceAll(/[*/\0]/gu, "")} $no*/ 1`),
  fc.constantFrom('"$no"', "E'\\'$no'", "'$no''$no'", "-- $no\n1", "a$no"),
);
const name = fc.constantFrom("a", "limit", "customerId", "context.user", "input.a.b", "_x1");

test("numbers every named parameter and nothing else, and maps offsets back", () => {
  const lists = fc.array(
    fc.oneof(
      quoted,
      name.map((each) => ({ name: each })),
    ),
    { minLength: 1, maxLength: 8 },
  );
  fc.assert(
    fc.property(lists, (list) => {
      const written = `SELECT ${list.map((part) => (typeof part === "string" ? part : `$${part.name}`)).join(" , ")}`;
      const statement: NamedStatement = parseNamedStatement(written);
      const names = list.flatMap((part) => (typeof part === "string" ? [] : [part.name]));
      expect(statement.problems).toEqual([]);
      expect(statement.names).toEqual([...new Set(names)]);
      expect(statement.placeholders.map(({ start, end }) => written.slice(start, end))).toEqual(
        names.map((each) => `$${each}`),
      );
      const number = (each: string): string => `$${statement.names.indexOf(each) + 1}`;
      const parts = list.map((part) => (typeof part === "string" ? part : number(part.name)));
      expect(statement.text).toBe(`SELECT ${parts.join(" , ")}`);
      const bytes = Buffer.byteLength(statement.text);
      expect(statement.offsetOf(bytes)).toBe(written.length);
      expect(statement.offsetOf(0)).toBe(0);
    }),
  );
});
