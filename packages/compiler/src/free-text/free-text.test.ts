import fc from "fast-check";
import { linearPattern } from "@hasp/schema/vocabulary";
import { formatMessage } from "@hasp/base/diagnostics";
import { RE2JS } from "re2js";
import { describe, expect, test } from "vitest";
import { checkGrammar } from "./check-grammar.js";
import { grammarDefinition } from "./problem.js";

type Language = "lark" | "regex";

/** Lists the findings about a grammar, each with the part of it to which it refers. */
function findings(grammar: Language, definition: string): readonly string[] {
  const { problems, warnings } = checkGrammar({ grammar, definition });
  return [
    ...problems.map(({ parameters, start, end }) => {
      const { variant } = parameters;
      return `${variant}: ${definition.slice(start, end)}${formatMessage(grammarDefinition.message, parameters) === "" ? "?" : ""}`;
    }),
    ...warnings.map(({ start, end }) => `unbounded: ${definition.slice(start, end)}`),
  ];
}

const SQL = String.raw`
// ---------- Punctuation ----------
SP: " "
COMMA: ","
start: "SELECT" SP select_list SP "FROM" SP table (SP "LIMIT" SP NUMBER)? ";"
select_list: column (COMMA SP column)*   # columns
  | "*" -> all
?column: IDENTIFIER
!table: [IDENTIFIER "."] IDENTIFIER
IDENTIFIER: /[A-Za-z_][A-Za-z0-9_]{0,30}/i
NUMBER: DIGIT~1..3 | "0".."9" | DIGIT{4}
%import common.DIGIT
%import common (WS, INT)
%ignore WS
`;

describe("a grammar of Lark", () => {
  test.each([
    SQL,
    'start: start "+" NUMBER | NUMBER\nNUMBER: /[0-9]+/',
    'start: "a" b?\nb: b "c"\n | "d"',
    'start: "\\"" /\\/[^\\/]{1,9}\\// _NL\n_NL: /\\r?\\n/',
    'start: ( "a"\n | "b" )',
    'start: "a" // or | "b"\n# | c\n',
  ])("a grammar that OpenAI takes passes: %j", (definition) => {
    expect(findings("lark", definition)).toEqual([]);
  });

  test.each([
    ["", ["no-start: "]],
    ["hello world", ["syntax: w"]],
    ['{ "type": "object" }', ["syntax: {"]],
    ['begin: "a"', ["no-start: b"]],
    ["start: missing", ["undefined: missing"]],
    ['start: "a"\nstart: "b"', ["twice: start"]],
    ['start: start "a"', ["endless: start"]],
    ['start: a\na: b "x"\nb: a | a a', ["endless: start", "endless: a", "endless: b"]],
    ['start: A\nA: "(" A? ")"', ["terminal-recursion: A"]],
    ['start: A\nA: b\nb: "x"', ["rule-in-terminal: b"]],
    ['start: A\nA: B\nB: "x" A', ["terminal-recursion: A", "terminal-recursion: B"]],
    ['start: "a"\n%ignore start', ["rule-in-terminal: start"]],
    ["start: /a(?=b)/", ["unsupported: (?="]],
    ["start: /a+?/", ["unsupported: ?"]],
    ["start: /[[:alpha:]]/", ["unsupported: ["]],
    ["start: /(a)\\1/", ["unsupported: \\1"]],
    ["start: /(?i)a/", ["unsupported: (?i)"]],
    ["start: /a{3,1}/", ["pattern-invalid: a{3,1}"]],
    ["start: /(a/", ["syntax: "]],
    ['start: A\nA.2: "a"', ["unsupported: 2"]],
    ['start: list{"a"}\nlist{x}: x', ["unsupported: {"]],
    ['start: "a"\n%declare A', ["unsupported: %declare"]],
    ['start: "a"\n%import python.NAME', ["unsupported: %import"]],
    ["start: A\n%import common.NOPE -> A", ["undefined: %import common.NOPE -> A"]],
    ['start: "a" %ignore', ["syntax: %"]],
    ['start: ("a"', ["syntax: "]],
    ['start: ("a"]', ["syntax: "]],
    ["start: 'a'", ["syntax: '"]],
    ["start: /.*/ | /(.|\\n){1,}/ | /.{1,9}/", ["unbounded: .*", "unbounded: (.|\\n){1,}"]],
  ] as const)("a fault in a grammar is reported: %j", (definition, expected) => {
    expect(findings("lark", definition)).toEqual(expected);
  });
});

describe("a regular expression", () => {
  test.each([
    [String.raw`^(?P<month>Jan|Feb)\s+(?<day>\d{1,2})$`, ["Jan 12"], ["Jan 12th", "in Jan 1"]],
    ["a|b", ["a", "b"], ["ab", "xa"]],
    ["^a|b$", ["a", "b"], ["ax", "xb"]],
    [String.raw`\Aa.c\z`, ["abc", "a\rc"], ["a\nc"]],
    [String.raw`[]a]\"\u{41}\x{42}}`, ['a"AB}', ']"AB}'], ["a"]],
    [String.raw`\d\-\_\ [\_\-\&]`, ["1-_ _", "1-_ -", "1-_ &"], ["1-_ a"]],
  ])("a regular expression is matched as a whole: %s", (definition, fits, others) => {
    const { problems, pattern = "" } = checkGrammar({ grammar: "regex", definition });
    expect(problems).toEqual([]);
    const compiled = linearPattern(pattern);
    expect([...fits, ...others].map((each) => compiled?.test(each))).toEqual([
      ...fits.map(() => true),
      ...others.map(() => false),
    ]);
  });

  test.each([
    ["(?!a)b", ["unsupported: (?!"]],
    ["(?P<n>a)(?<n>b)", ["twice: (?<n>"]],
    ["(?:(?:a{1,99}){1,99}){1,99}", ["pattern-time: (?:(?:a{1,99}){1,99}){1,99}"]],
    ["[a&&b]", ["unsupported: &"]],
    ["*a", ["syntax: *"]],
    // A word begins here in Rust, but not in JavaScript.
    ["\\<a", ["syntax: \\"]],
    ["a)", ["syntax: )"]],
    ["\\p{Nope}", ["pattern-invalid: \\p{Nope}"]],
    ["(?s:.*)", ["unsupported: (?s:"]],
  ] as const)("a fault in a regular expression is reported: %s", (definition, expected) => {
    expect(findings("regex", definition)).toEqual(expected);
  });

  // prettier-ignore
  const piece = fc.constantFrom(
    "a", "-", " ", "é", "😀", ".", "\\D", "\\b", "\\n", "\\x41", "\\.", "\\-", "\\_", "\\ ", "\\\"", "\\A", "\\z", "[a-c]", "[^a]", "[]a]",
    "[^]a]", "[a-]", "[😀-😂]", "(?P<n>a|b)", "(?:a|)", "|", "*", "+", "?", "{2}", "{1,}", "^", "$", "]", "}", "[.\\-]", "[\\]a]",
  );
  const text = fc.string({
    unit: fc.constantFrom("a", "b", "A", "-", " ", "\n", "\r", "é", "😀", "]", "}", '"', "."),
    maxLength: 5,
  });

  test("a regular expression that passes takes the texts that RE2, whose syntax is Rust's, takes", () => {
    let passed = 0;
    fc.assert(
      fc.property(
        fc.array(piece, { minLength: 1, maxLength: 5 }),
        fc.array(text, { minLength: 8 }),
        (pieces, texts) => {
          const definition = pieces.join("");
          const { pattern } = checkGrammar({ grammar: "regex", definition });
          if (pattern === undefined) return;
          passed += 1;
          const [own, re2] = [linearPattern(pattern), RE2JS.compile(`\\A(?:${definition})\\z`)];
          for (const each of texts) {
            expect(own?.test(each), JSON.stringify([definition, pattern, each])).toBe(re2.matcher(each).find());
          }
        },
      ),
      { numRuns: Number(process.env["HASP_FUZZ_RUNS"] ?? 300) },
    );
    expect(passed).toBeGreaterThan(200);
  });
});

test.each([
  ["a megabyte", 'start: "a"\n'.repeat(100_000)],
  ["deep groups", `start: ${"(".repeat(10_000)}`],
  ["a long chain", Array.from({ length: 2_400 }, (_, index) => `R${index}: R${index + 1}`).join("\n")],
  ["a backwards chain", Array.from({ length: 2_400 }, (_, index) => `r${index + 1}: r${index}`).join("\n")],
  ["many comments", `start: "a"\n${"// |\n".repeat(5_000)}`],
  ["many spaces", `start:${" ".repeat(29_000)}x`],
] as const)("%s end soon", (_, definition) => {
  for (const grammar of ["lark", "regex"] as const) {
    expect(checkGrammar({ grammar, definition }).problems.length).toBeLessThan(21);
  }
});

test("any text is read to its end or reported", () => {
  const part = fc.constantFrom(
    "start", ":", " ", "\n", "|", "(", ")", "[", "]", '"a"', "/a/", "A", "b", "?", "*", "~2", "{1,2}", "->", "%ignore", "%import common.WS", ".1", "..", "//c", "{", "\\", '"', "/",
  ); // prettier-ignore
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const definition = parts.join("");
      for (const { start, end } of checkGrammar({ grammar: "lark", definition }).problems) {
        expect(start).toBeLessThanOrEqual(end);
        expect(end).toBeLessThanOrEqual(Math.max(1, definition.length));
      }
    }),
  );
});
