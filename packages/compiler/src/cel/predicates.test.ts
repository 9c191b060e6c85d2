import { format } from "prettier";
import { describe, expect, test } from "vitest";
import type { JsonSchema, JsonValue } from "@hasp/schema";
import { formatDiagnostic } from "@hasp/base/diagnostics";
import { importPrinted, outcomeOf } from "./import-printed.testing.js";
import { createPredicateCompiler } from "./compile-predicate.js";
import { predicateDefinition } from "./check/messages.js";
import type { ExpressionPredicate } from "../model/conditions.js";

const INPUT: JsonSchema = {
  type: "object",
  additionalProperties: false,
  required: ["query", "mode", "count"],
  properties: {
    query: { type: "string" },
    mode: { enum: ["read", "write"] },
    count: { type: "integer" },
    ratio: { type: "number", default: 1 },
    maxRows: { type: "integer", minimum: 1, maximum: 1000, default: 100 },
    scope: { type: "string" },
    "max-rows": { type: "integer" },
    since: { type: "string" },
    until: { type: "string" },
    flag: { type: "boolean" },
    note: { type: ["string", "null"] },
    tags: { type: "array", items: { type: "string" } },
    grid: { type: "array", maxItems: 5, items: { type: "array", maxItems: 5, items: { type: "integer" } } },
    people: {
      type: "array",
      items: {
        type: "object",
        required: ["name"],
        properties: { name: { type: "string" }, age: { type: ["integer", "null"] } },
      },
    },
    ["toString"]: { type: "string" } as const,
    labels: { type: "object", additionalProperties: { type: "string" } },
    target: {
      oneOf: [
        {
          type: "object",
          required: ["kind", "path"],
          properties: { kind: { const: "file" }, path: { type: "string" }, deep: { type: "boolean" } },
        },
        { type: "object", required: ["kind", "url"], properties: { kind: { const: "web" }, url: { type: "string" } } },
        { type: "object", required: ["kind"], properties: { kind: { enum: ["none", "nothing"] } } },
      ],
    },
    tree: { $ref: "#/$defs/Tree" },
  },
  $defs: {
    Tree: {
      type: "object",
      required: ["value"],
      properties: { value: { type: "integer" }, left: { $ref: "#/$defs/Tree" } },
    },
  },
};

function compiled(source: string, input: JsonSchema = INPUT): ExpressionPredicate {
  const { predicate, problems } = createPredicateCompiler(input)(source);
  expect(problems).toEqual([]);
  if (predicate === undefined) throw new Error("no predicate and no problem");
  return predicate;
}

/** `stretch: message | help` of the problem with a predicate. */
function problemOf(source: string, input: JsonSchema = INPUT): string {
  const { predicate, problems } = createPredicateCompiler(input)(source);
  expect(predicate).toBeUndefined();
  expect(problems).toHaveLength(1);
  return problems
    .map(({ parameters, start, end }) => {
      const { message, help } = formatDiagnostic(
        "flatten",
        "predicate",
        { severity: "error", ...predicateDefinition },
        parameters,
      );
      return `${source.slice(start, end)}: ${message}${help === undefined ? "" : ` | ${help}`}`;
    })
    .join();
}

const PRINTED: readonly (readonly [string, string])[] = [
  ["input.mode == 'read'", 'member(input, "mode") === "read"'],
  ["has(input.scope) && input.scope == 'scratch'", 'hasMember(input, "scope") && member(input, "scope") === "scratch"'],
  ["!has(input.scope)", '!hasMember(input, "scope")'],
  [
    "!has(input.since) || !has(input.until) || timestamp(input.since) <= timestamp(input.until)",
    '!hasMember(input, "since") || !hasMember(input, "until") || timestamp(member(input, "since")) <= timestamp(member(input, "until"))',
  ],
  [
    "present(input, 'max-rows') && input['max-rows'] > 3",
    'hasMember(input, "max-rows") && member(input, "max-rows") > 3',
  ],
  ["has(input.toString) && input.toString == 'x'", 'hasMember(input, "toString") && member(input, "toString") === "x"'],
  ["!has(input.toString)", '!hasMember(input, "toString")'],
  ["input.query in ['ls', 'git status']", '["ls", "git status"].includes(member(input, "query"))'],
  ["!(input.query in ['ls'])", '!["ls"].includes(member(input, "query"))'],
  [
    "size(input.query) < 5 && input.query.size() != 3",
    'textLength(member(input, "query")) < 5 && textLength(member(input, "query")) !== 3',
  ],
  ["has(input.tags) && size(input.tags) == 0", 'hasMember(input, "tags") && member(input, "tags").length === 0'],
  [
    "has(input.labels) && size(input.labels) > 1",
    'hasMember(input, "labels") && Object.keys(member(input, "labels")).length > 1',
  ],
  ["input.query.trim().upper().startsWith('A')", 'member(input, "query").trim().toUpperCase().startsWith("A")'],
  ["input.query.trim().startsWith('a ')", 'member(input, "query").trim().startsWith("a ")'],
  ["input.query.trim().contains(' ')", 'member(input, "query").trim().includes(" ")'],
  ["lower(input.query + 'X') == 'ax'", '(member(input, "query") + "X").toLowerCase() === "ax"'],
  ["input.query < 'b'", 'compareText(member(input, "query"), "b") < 0'],
  [
    "input.count + 1 > input.maxRows * 2 / 3",
    'safeInteger(member(input, "count") + 1) > divideIntegers(safeInteger(member(input, "maxRows") * 2), 3)',
  ],
  [
    "input.count % 2 == 0 && -input.count < -3",
    'remainder(member(input, "count"), 2) === 0 && -member(input, "count") < -3',
  ],
  ["input.ratio * 2.0 / 3.0 > 1e21", '(member(input, "ratio") * 2) / 3 > 1e21'],
  ["input.ratio - (1.0 - input.ratio) > 0.5", 'member(input, "ratio") - (1 - member(input, "ratio")) > 0.5'],
  ["input.query + 'x' == 'yx'", 'member(input, "query") + "x" === "yx"'],
  [
    "has(input.note) && input.note != null && input.note.startsWith('a')",
    'hasMember(input, "note") && member(input, "note") !== null && member(input, "note").startsWith("a")',
  ],
  [
    "(input.mode == 'read' || input.count > 1) && !(input.count > 5)",
    '(member(input, "mode") === "read" || member(input, "count") > 1) && !(member(input, "count") > 5)',
  ],
  [
    "input.mode == 'read' && input.count > 1 || input.count > 5",
    '(member(input, "mode") === "read" && member(input, "count") > 1) || member(input, "count") > 5',
  ],
  [
    "input.mode == 'read' ? input.count > 1 : input.count > 2",
    '(member(input, "mode") === "read" ? member(input, "count") > 1 : member(input, "count") > 2)',
  ],
  [
    "(input.mode == 'read' ? 1 : 2) < input.count",
    '(member(input, "mode") === "read" ? 1 : 2) < member(input, "count")',
  ],
  ["(input.count > 1) == (input.ratio > 2.0)", 'member(input, "count") > 1 === member(input, "ratio") > 2'],
  ["has(input.flag) && input.flag", 'hasMember(input, "flag") && member(input, "flag")'],
  ["input.query.matches('^a/[a-z]+$')", '/^a\\/[a-z]+$/u.test(member(input, "query"))'],
  ["input.query.matches('^(a+)+$')", 'matches(member(input, "query"), "^(a+)+$")'],
  [
    "has(input.tags) && input.tags.all(class, class.startsWith('a'))",
    'hasMember(input, "tags") && all(member(input, "tags"), (class_) => class_.startsWith("a"))',
  ],
  [
    "has(input.tags) && input.tags.exists(all, all == 'a' ? true : false)",
    'hasMember(input, "tags") && exists(member(input, "tags"), (all_) => (all_ === "a" ? true : false))',
  ],
  [
    "has(input.grid) && input.grid.exists(row, row.exists(row, row == 3))",
    'hasMember(input, "grid") && exists(member(input, "grid"), (row) => exists(row, (row) => row === 3))',
  ],
  [
    "has(input.grid) && input.grid.exists(row, row in input.grid)",
    'hasMember(input, "grid") && exists(member(input, "grid"), (row) => contains(member(input, "grid"), row))',
  ],
  [
    "has(input.grid) && input.grid.all(a, input.grid.exists(b, a == b))",
    'hasMember(input, "grid") && all(member(input, "grid"), (a) => exists(member(input, "grid"), (b) => equal(a, b)))',
  ],
  [
    "['INSERT', 'DROP'].exists(word, input.query.contains(word))",
    'member(input, "query").includes("INSERT") || member(input, "query").includes("DROP")',
  ],
  [
    "has(input.tags) && [1, -2].all(n, input.count != n && input.tags.all(n, n != 'x'))",
    'hasMember(input, "tags") && member(input, "count") !== 1 && all(member(input, "tags"), (n) => n !== "x") && member(input, "count") !== -2 && all(member(input, "tags"), (n) => n !== "x")',
  ],
  ["has(input.tags) && 'x' in input.tags", 'hasMember(input, "tags") && member(input, "tags").includes("x")'],
  [
    "has(input.labels) && 'a' in input.labels && input.labels.a == 'x'",
    'hasMember(input, "labels") && hasMember(input, "labels", "a") && member(input, "labels", "a") === "x"',
  ],
  [
    "has(input.labels) && input.query in input.labels",
    'hasMember(input, "labels") && hasMember(member(input, "labels"), member(input, "query"))',
  ],
  [
    "has(input.since) && timestamp(input.since) - timestamp('2020-01-01T00:00:00Z') > duration('24h')",
    'hasMember(input, "since") && checkedDuration(timestamp(member(input, "since")) - timestamp("2020-01-01T00:00:00Z")) > duration("24h")',
  ],
  [
    "has(input.target) && (input.target.kind == 'file' ? input.target.path == '/x' : input.target.kind == 'web' && input.target.url == 'y')",
    'hasMember(input, "target") && (member(input, "target", "kind") === "file" ? member(input, "target", "path") === "/x" : member(input, "target", "kind") === "web" && member(input, "target", "url") === "y")',
  ],
  [
    "has(input.tree) && has(input.tree.left) && input.tree.left.value > 3",
    'hasMember(input, "tree") && hasMember(input, "tree", "left") && member(input, "tree", "left", "value") > 3',
  ],
];

test.each([
  ["size(input.nest) > 2", false],
  ["input.nest.all(n, size(n) == 0)", true],
])("a list of lists of its own kind has a type, in %s", (source, answer) => {
  const schema: JsonSchema = {
    type: "object",
    required: ["nest"],
    properties: { nest: { $ref: "#/$defs/Nest" } },
    $defs: { Nest: { type: "array", maxItems: 9, items: { $ref: "#/$defs/Nest" } } },
  };
  expect(compiled(source, schema).evaluate({ nest: [] })).toBe(answer);
});

describe("printed JavaScript", () => {
  test.each(PRINTED)("prints %s as JavaScript", (source, javascript) => {
    expect(compiled(source).javascript).toBe(javascript);
  });

  test("prints JavaScript in the layout of prettier", async () => {
    for (const [source, javascript] of PRINTED) {
      const printed = `const f = (input) => ${compiled(source).javascript};\n`;
      expect(await format(printed, { parser: "babel", printWidth: 1000 }), javascript).toBe(printed);
    }
  });

  test("loads as a module and answers as `evaluate` does", async () => {
    const predicates = PRINTED.map(([source]) => compiled(source));
    const printed = await importPrinted(predicates);
    const inputs: readonly JsonValue[] = [
      { query: "ls", mode: "read", count: 1, ratio: 1, maxRows: 100 },
      {
        query: "a/b",
        mode: "write",
        count: 9,
        ratio: 2.5,
        maxRows: 1,
        scope: "scratch",
        tags: ["a", "x"],
        flag: true,
        note: null,
      },
      {
        query: "😀",
        mode: "read",
        count: -4,
        ratio: 0,
        maxRows: 2,
        since: "2026-01-01T00:00:00Z",
        until: "nonsense",
        labels: { a: "x", "😀": "" },
      },
      {
        query: "",
        mode: "read",
        count: 0,
        ratio: 1,
        maxRows: 9,
        grid: [[1], [3]],
        tree: { value: 1, left: { value: 4 } },
        target: { kind: "web", url: "y" },
      },
      {
        query: "b",
        mode: "read",
        count: 2 ** 53 - 1,
        ratio: 1,
        maxRows: 9,
        toString: "x",
        "max-rows": 4,
        target: { kind: "file", path: "/x" },
      },
    ];
    for (const [index, predicate] of predicates.entries()) {
      for (const input of inputs) {
        expect([predicate.source, outcomeOf(() => printed[index]?.(input))]).toEqual([
          predicate.source,
          outcomeOf(() => predicate.evaluate(input)),
        ]);
      }
    }
  });
});

test("hostile texts stay texts", async () => {
  const texts = [
    "</script><!--",
    "\u2028\u2029",
    "\u202e\u200b\ufeff",
    "'\"`${x}",
    "\\",
    "*/",
    "\u0000\u001b[8m",
    "\u{e0041}",
    "__proto__",
  ];
  const escape = (text: string): string => JSON.stringify(text).replaceAll("\u{e0041}", "\\U000e0041");
  const predicates = texts.map((text) => compiled(`input.query == ${escape(text)}`));
  for (const { javascript } of predicates) {
    expect(javascript).toMatch(/^[\u0020-\u007e]*$/u);
    expect(javascript).not.toMatch(/<\/script|<!--/u);
  }
  const printed = await importPrinted(predicates);
  for (const [index, text] of texts.entries()) {
    expect(printed.map((judge) => judge({ query: text, mode: "read", count: 1 }))).toEqual(
      texts.map((_, other) => other === index),
    );
  }
});

test("a hostile pattern keeps its meaning", async () => {
  const characters = ["\u0008", "\u200b", "\u2028", "\t", "\n", "</script>", "/", "\u{e0041}"];
  const predicates = characters.map((character) =>
    compiled(`input.query.matches(${JSON.stringify(`^${character}$`).replaceAll("\u{e0041}", "\\U000e0041")})`),
  );
  for (const { javascript } of predicates) expect(javascript).toMatch(/^[\u0020-\u007e]*$/u);
  const printed = await importPrinted(predicates);
  for (const [index, character] of characters.entries()) {
    const answers = characters.map((_, other) => other === index);
    expect(
      printed.map((judge) => judge({ query: character, mode: "read", count: 1 })),
      JSON.stringify(character),
    ).toEqual(answers);
    expect(predicates.map(({ evaluate }) => evaluate({ query: character, mode: "read", count: 1 }))).toEqual(answers);
  }
});

test("a key that every object inherits is a key", () => {
  const schema = {
    type: "object",
    required: ["constructor"],
    properties: { constructor: { type: "string" } },
  } as const;
  const predicate = compiled("input.constructor == 'x'", schema);
  expect(predicate.javascript).toBe('member(input, "constructor") === "x"');
  expect(predicate.evaluate({ constructor: "x" })).toBe(true);
  expect(() => predicate.evaluate({})).toThrow(/\/constructor/u);
});

describe("reads", () => {
  test.each([
    ["input.mode == 'read'", ["/mode"]],
    ["has(input.people) && input.people.exists(p, p.name == input.query)", ["/people", "/people/*/name", "/query"]],
    ["has(input.target) && has(input.target.path)", ["/target", "/target/path"]],
    ["present(input, 'max-rows')", ["/max-rows"]],
  ])("lists the paths that %s reads", (source, reads) => {
    expect(compiled(source).reads).toEqual(reads);
  });
});

describe("the law refuses, at the place", () => {
  test.each([
    ["input.scope == 'x'", /^input\.scope: `input\.scope` may be absent.*\| Test `has\(input\.scope\) && …` first\.$/u],
    ["has(input.scope) || input.scope == 'x'", /may be absent/u],
    ["!has(input.scope) && input.scope == 'x'", /may be absent/u],
    ["input['max-rows'] > 3", /Test `present\(input, 'max-rows'\) && …` first/u],
    ["has(input.nope)", /^has\(input\.nope\): The schema of `input` declares no field "nope"/u],
    ["input.modes == 'read'", /Did you mean `input\.mode`\?/u],
    ["has(input.target.path)", /`input\.target` may be absent|may be absent/u],
    ["has(input.target) && input.target.path == 'x'", /`input\.target\.path` may be absent/u],
    [
      "has(input.target) && input.target.kind != 'file' && input.target.url == 'x'",
      /`input\.target\.url` may be absent/u,
    ],
    ["has(input.people) && input.people.exists(p, has(p.age) && p.age > 3)", /Test `p\.age != null && …` first/u],
    [
      "has(input.note) && input.note.startsWith('a')",
      /is a string or null, but a string is required.*\| Test `input\.note != null/u,
    ],
    ["[].exists(w, input.query == w)", /^\[\]: An empty list contains nothing/u],
    [
      "[input.query, 'a'].exists(w, input.query == w)",
      /^\[input\.query, 'a'\]: `\.exists\(\)` takes a list of the input, or a short list of written texts/u,
    ],
    [`[${"1, ".repeat(400)}1].all(n, input.count > n)`, /a short list of written texts/u],
    [
      ["a", "b", "c", "d"].reduce((body, name) => `[1, 2, 3, 4, 5, 6].all(${name}, ${body})`, "input.count > a"),
      /a short list of written texts/u,
    ],
    ["['delete'].exists(m, input.mode == m)", /"mode" is never "delete"/u],
    ["['a'].exists(input, input == 'a')", /`input` is already defined/u],
    ["['a'].all(w, w)", /^w: A condition must be true or false, but this one is a string/u],
    ["mode == 'read'", /A condition can only use `input`\. \| Write `input\.mode`/u],
    ["input.mode == 'delete'", /"mode" is never "delete" here\. \| It can be "read", "write"/u],
    ["input.mode == 'read' && input.mode == 'write'", /"mode" is never "write" here\. \| It can be "read"/u],
    ["input.mode in ['read', 'append']", /never "append"/u],
    ["input.maxRows > 3 && input.maxRows == 5000", /never 5000/u],
    ["input.query == 3", /compares a string with an integer/u],
    ["input.ratio == 3", /Write the literal as `1\.0`/u],
    ["input.count + 1.0 > 2.0", /`\+` cannot be applied to an integer and a number/u],
    ["input.query > 3", /no order between a string and an integer/u],
    ["input.query && input.count", /but true or false is required/u],
    ["input.count", /must be true or false, but this one is an integer/u],
    ["input.query.matches(input.mode)", /takes a quoted pattern/u],
    ["input.query.matches('^(?:(?:a{30}){30}[^b]{0,600}){30}$')", /counts of at most 1000, multiplied/u],
    ["input.query.matches('(?i)select')", /Match the text in one case, as in `input\.sql\.lower\(\)\.matches\('…'\)`/u],
    ["input.query.upper() == 'select'", /^'select': `\.upper\(\)` never returns .* \| Write "SELECT"\.$/u],
    ["input.query.trim() in ['a', 'b ']", /never returns a text with "b " there/u],
    ["lower(input.query).contains('DROP')", /Write "drop"/u],
    ["input.query.lowerAscii() == 'a'", /There is no function `\.lowerAscii\(\)` .* lower upper trim /u],
    ["upper(input.count) == 'A'", /a string is required/u],
    ["input.query.trim('x') == 'a'", /`trim` takes one string/u],
    ["input.query.trim().startsWith(' a')", /Write "a"/u],
    ["input.query.trim().endsWith('a ')", /Write "a"/u],
    ["input.query.matches('a(?=b)')", /differs in meaning|not a valid pattern/u],
    ["input.query.matches('(')", /not a valid pattern in JavaScript/u],
    ["input.query.matches('^.$')", /Write \[\^\\n\]/u],
    ["input.query.matches('^\\\\s$')", /white space/u],
    ["input.query.matches('^\\\\p{L}$')", /differs in meaning/u],
    ["input.query.matches('^[[:alpha:]]$')", /differs in meaning|not a valid/u],
    ["input.query.matches('^a{1001}$')", /counts of at most 1000/u],
    ["input.query.map(x, x) == []", /There is no function `\.map\(\)`/u],
    ["input.query.startWith('a')", /Did you mean `startsWith`/u],
    ["string(input.count) == '1'", /There is no function `string`/u],
    ["input.tags[0] == 'a'", /Only a quoted field name/u],
    ["{'a': 1} == input.labels", /at most 0 entries in a map/u],
    ["input.count == 9007199254740993", /too large for a JSON number to represent exactly/u],
    ["input.count == 1u", /JSON has no literal/u],
    ["input.query in []", /empty list/u],
    ["input.query == b'x'", /JSON has no literal/u],
    ["input.mode =", /not valid CEL/u],
    ["", /not valid CEL/u],
    ["input.mode = 'a and b'", /not valid CEL.* \| CEL writes `==` where other languages write `=`\./u],
    ["input.mode === 'read'", /CEL writes `==` where other languages write `===`/u],
    ["input.mode == 'read' and input.count > 1", /CEL writes `&&` where other languages write `and`/u],
    ["not input.mode", /CEL writes `!` where other languages write `not`/u],
    ["input.count >= 1 &", /not valid CEL: [^|]*$/u],
    [
      "has(input.since) && timestamp(input.since) > timestamp('yesterday')",
      /is not a valid timestamp\. \| Write it like/u,
    ],
    ["duration('1 day') > duration('1h')", /is not a valid duration/u],
    ["has(input.tags) && input.tags.all(a, input.tags.all(b, a == b))", /nested loops may take too long/u],
    ["has(input.people) && input.people.exists(p, has(input.tags) && p.name in input.tags)", /nested loops/u],
    [
      "has(input.tags) && input.tags.exists(t, input.query.contains(t))",
      /`input.query.contains\(t\)` is read to its end in every iteration.*out of the loop/u,
    ],
    ["has(input.tags) && input.tags.exists(t, input.query.matches('^[a-z]*$'))", /read to its end in every iteration/u],
    ["has(input.tags) && input.tags.exists(t, t.matches('^(?:a|b)+$'))", /read to its end in every iteration/u],
    ["has(input.tags) && input.tags.all(t, size(input.query) > 3)", /`size\(input.query\)` is read/u],
    [
      "has(input.tags) && has(input.labels) && input.tags.all(t, size(input.labels) > 3)",
      /read to its end in every iteration/u,
    ],
    [
      "has(input.tags) && has(input.labels) && input.tags.all(t, (input.query + t) in input.labels)",
      /read to its end in every iteration/u,
    ],
    [
      "has(input.tags) && input.tags.all(t, (t + input.query).endsWith(input.query))",
      /read to its end in every iteration/u,
    ],
    [
      "has(input.tags) && has(input.people) && input.tags.all(t, input.people == input.people)",
      /read to its end in every iteration/u,
    ],
    [
      "has(input.tags) && has(input.scope) && input.tags.all(t, input.query < input.scope)",
      /read to its end in every iteration/u,
    ],
    [
      "has(input.tags) && has(input.since) && input.tags.all(t, timestamp(input.since) < timestamp(t))",
      /`timestamp\(input.since\)` is read/u,
    ],
    [
      "has(input.grid) && has(input.tags) && input.grid.all(row, row.all(n, size(input.query) > n))",
      /read to its end in every iteration/u,
    ],
    ["has(input.tags) && input.tags.all(input, input == 'a')", /`input` is already defined/u],
    ["input.mode == 'read' ? 1 : 'a'", /must be of the same kind/u],
    ["input == input.target", /may be absent/u],
  ])("refuses %s at its place", (source, expected) => {
    expect(problemOf(source)).toMatch(expected);
  });

  const long = "😀".repeat(5000);
  const word = "x".repeat(5000);
  test.each([
    ["a text", `input.count == 1 && '${long}'`],
    ["a text of several lines", `(input.query +\n'${long}') && true`],
    ["a time", `timestamp('${long}') > timestamp('2026-01-01T00:00:00Z')`],
    ["a name", `${word} == 1`],
    ["a field", `input.${word} == 1`],
    ["a key", `input['${long}'] == 1`],
    ["a function", `${word}(input.mode)`],
    ["a method", `input.mode.${word}()`],
    ["a value that never is", `input.mode == '${long}'`],
    ["an item that never is", `input.mode in ['${long}']`],
    ["a guard", `has(input.note) && size('${long}'.contains(input.note) ? input.note : null) > 3`],
    ["a pattern of no engine", `input.query.matches('(${"😀".repeat(240)}')`],
    ["a pattern of a class", `input.query.matches('[[${"😀".repeat(240)}]')`],
    ["a pattern of no bound", `input.query.matches('${"(".repeat(201)}${"😀".repeat(40)}${")".repeat(201)}')`],
  ])("quotes only a part of %s that is long", (_what, source) => {
    const { problems } = createPredicateCompiler(INPUT)(source);
    expect(problems).toHaveLength(1);
    for (const { parameters } of problems) {
      const { message, help = "" } = formatDiagnostic(
        "flatten",
        "predicate",
        { severity: "error", ...predicateDefinition },
        parameters,
      );
      expect(message + help).toContain("…");
      expect([...message].length + [...help].length).toBeLessThan(500);
      expect(message + help).not.toMatch(/\n|\p{Surrogate}/u);
    }
  });
});

test.each([
  ["signs", `${"!".repeat(20_000)}input.flag`, 2000, "operators and operands"],
  ["signs in a row", `${"!".repeat(101)}input.flag`, 100, "levels of nesting"],
  ["signs below brackets", `${"-!(".repeat(90)}input.flag${")".repeat(90)}`, 100, "levels of nesting"],
  ["brackets", `${"(".repeat(20_000)}input.flag`, 100, "levels of nesting"],
  ["indexes", `input${"['a']".repeat(20_000)}`, 100, "levels of nesting"],
  ["terms", `input.flag${" && input.flag".repeat(20_000)}`, 2000, "operators and operands"],
  ["items", `input.count in [${"1,".repeat(501)}1]`, 500, "items in a list"],
])("refuses too many %s, with the number that it allows", (_what, source, limit, counted) => {
  const { problems } = createPredicateCompiler(INPUT)(source);
  expect(problems.map(({ parameters }) => parameters)).toEqual([{ variant: "limit", limit, counted }]);
});

test("compiles as many signs and terms as it allows, and counts none in texts and comments", () => {
  const input = { query: "", mode: "read", count: 2 };
  const signs = "!-".repeat(2000);
  expect(compiled(`input.query != '${signs}' // ${signs}`).evaluate(input)).toBe(true);
  expect(compiled(`${"!".repeat(100)}(input.count > 1)`).evaluate(input)).toBe(true);
  expect(compiled(`input.count < 1${" + 1".repeat(990)}`).evaluate(input)).toBe(true);
});

describe("guards", () => {
  test.each([
    "has(input.scope) && input.scope == 'x'",
    "!has(input.scope) || input.scope == 'x'",
    "has(input.scope) ? input.scope == 'x' : true",
    "!(has(input.scope) && input.scope == 'x')",
    "!has(input.scope) || !has(input.since) || input.scope == input.since",
    "(has(input.scope) && input.count > 1) ? input.scope == 'x' : false",
    "has(input.target) && has(input.target.path) && input.target.path == 'x'",
    "has(input.target) && input.target.kind == 'file' && input.target.path == 'x'",
    "!has(input.target) || input.target.kind != 'file' || input.target.path == 'x'",
    "has(input.target) && !(input.target.kind in ['none', 'nothing', 'web']) && input.target.path == 'x'",
    "has(input.target) && (input.target.kind == 'file' || input.target.kind == 'none') && input.target.kind != 'none' && has(input.target.path)",
    "has(input.target) && has(input.target.url) && input.target.kind == 'web'",
    "!has(input.note) || input.note == null || size(input.note) < 3",
    "input.maxRows > 3",
  ])("accepts the guard in %s", (source) => {
    compiled(source);
  });

  test("a default inside a union guards nothing, since it is not always filled", () => {
    const schema: JsonSchema = {
      type: "object",
      properties: {
        at: { anyOf: [{ type: "object", properties: { x: { type: "integer", default: 1 } } }, { type: "null" }] },
      },
    };
    expect(problemOf("has(input.at) && input.at != null && input.at.x > 1", schema)).toMatch(
      /`input\.at\.x` may be absent/u,
    );
  });
});

describe("a loop may read", () => {
  test.each([
    "has(input.tags) && input.tags.all(t, t.contains('x') || size(t) > 3 || t.matches('^[a-z]+$'))",
    "has(input.tags) && input.tags.exists(t, t == input.query || t.startsWith(input.query))",
    "has(input.people) && input.people.all(p, size(p.name) < 9)",
    "has(input.tags) && has(input.labels) && input.tags.all(t, t in input.labels)",
    "has(input.tags) && has(input.people) && input.tags.all(t, size(input.people) > 3)",
    "has(input.grid) && has(input.tags) && input.tags.all(t, input.grid == input.grid)",
    "size(input.query) > 3 && has(input.tags) && input.tags.all(t, t != 'x')",
  ])("accepts a loop that reads its own item and short values: %s", (source) => {
    compiled(source);
  });

  test("accepts a loop that reads a text with a small maxLength", () => {
    const schema = (maxLength: number): JsonSchema => ({
      type: "object",
      required: ["text", "tags"],
      properties: { text: { type: "string", maxLength }, tags: { type: "array", items: { type: "string" } } },
    });
    compiled("input.tags.all(t, input.text.contains(t))", schema(1000));
    expect(problemOf("input.tags.all(t, input.text.contains(t))", schema(1001))).toMatch(/read to its end/u);
  });
});

describe("where we differ from CEL, on purpose", () => {
  const base = { query: "q", mode: "read", count: 1, ratio: 1, maxRows: 100 };
  test.each([
    // CEL's || absorbs an error on either side; ours is evaluated from the left and stops at it.
    ["input.count / (input.count - 1) > 0 || input.mode == 'read'", base, "error"],
    ["input.mode == 'read' || input.count / (input.count - 1) > 0", base, true],
    // CEL's exists absorbs errors of items before the one that passes.
    [
      "has(input.tags) && input.tags.exists(t, timestamp(t) > timestamp('2020-01-01T00:00:00Z'))",
      { ...base, tags: ["x", "2026-01-01T00:00:00Z"] },
      "error",
    ],
    // CEL's integers have 64 bits; a JSON number has 53.
    ["input.count + 1 > 0", { ...base, count: Number.MAX_SAFE_INTEGER }, "error"],
    ["input.count * input.count > 0", { ...base, count: 2 ** 40 }, "error"],
    // By code points, as CEL says and the library's evaluator does not.
    ["input.query > '\uFFFD'", { ...base, query: "😀" }, true],
    // To the nanosecond, as CEL says and the library's evaluator does not.
    [
      "has(input.since) && timestamp(input.since) < timestamp('2026-01-01T00:00:00.000000002Z')",
      { ...base, since: "2026-01-01T00:00:00.000000001Z" },
      true,
    ],
  ])("evaluates %s differently from CEL", (source, input, expected) => {
    expect(outcomeOf(() => compiled(source).evaluate(input))).toBe(expected);
  });
});

describe("a pattern means the same in RE2 and in JavaScript", () => {
  test.each([
    "^[a-z]+$",
    "^a|b$",
    "^(?:ab){2,3}$",
    "^[^\\n]*$",
    "^\\d{4}-\\d{2}$",
    "^\\w+\\.md$",
    "\\bx\\b",
    "^[\\w.-]+$",
    "^\\x41$",
    "",
    "^a\\/b$",
  ])("accepts the pattern %s, which means the same in both engines", (pattern) => {
    compiled(`input.query.matches(${JSON.stringify(pattern)})`);
  });
});
