import fc from "fast-check";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { stringify } from "yaml";
import { escapeToken } from "@hasp/base/json";
import { createLocator } from "./source-text.js";
import { parsePlainYaml } from "./parse-plain-yaml.js";
import { parseAnyYaml } from "./parse-yaml.js";

function* pointersOf(value: unknown, pointer = ""): Generator<string> {
  yield pointer;
  if (typeof value !== "object" || value === null) return;
  for (const [key, item] of Object.entries(value)) yield* pointersOf(item, `${pointer}/${escapeToken(key)}`);
}

const numRuns = Number(process.env["HASP_FUZZ_RUNS"] ?? 100);

const key = fc.stringMatching(/^[a-z$]\w{0,9}$/u);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(fc.string(), fc.lorem(), fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean()),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(key, tie("value"), { maxKeys: 4 }),
  ),
}));

/** Holds a text that is read without the library against the library; whether it is such a text. */
function isPlain(text: string): boolean {
  const plain = parsePlainYaml(text);
  if (plain === undefined) return false;
  const problems: unknown[] = [];
  const whole = parseAnyYaml(text, (...problem) => problems.push(problem));
  const locate = createLocator("", text);
  const spansIn = ({ value, spans }: typeof whole): unknown =>
    Array.from(pointersOf(value), (pointer) => {
      const found = spans.find(pointer);
      return [pointer, locate(found.value, ""), found.key];
    });
  expect([problems, plain.value, spansIn(plain)]).toEqual([[], whole.value, spansIn(whole)]);
  return true;
}

const specs = join(import.meta.dirname, "../../../../../tools-spec/specs");
const texts = readdirSync(specs)
  .filter((name) => name.endsWith(".yaml"))
  .map((name) => readFileSync(join(specs, name), "utf8"));

// prettier-ignore
const INSERTED = [
  "", " ", "  ", "\n", "\n\n", "\n#c\n", "\n  # c\n", " #", "#", ": ", ":", "- ", "-", "'", '"', "\\", "\t", "\r",
  "[", "]", "{", "}", ", ", "|", ">", "|-\n", "&a ", "*a", "!t ", "%", "?", "x", "1", "0x1", "~", "é",
];

// prettier-ignore
const LINES = [
  "a: 1", "a: 2", "b:", "b: # c", "c:", "- x", "- a: 1", "-", "- b:", "- - 1", "- - a: x", "- # c", "- {}", "- |",
  "e: |-", "e: >", "f: |", "f: >-", "text more", "text #no", "text #", "", "", "# note", "%a", "? a", ": b",
  "g: [1, {h: i}]", "'q': \"x\\n\" # c", "\"r\": 'it''s'", "j: -1.50", "j: -0", "k: a:b #c", "l: a#b", "m: 1e3",
  "n: 0x1F", "o: ~", "p: true", "p: True", "s: { t: u v, w: [] }", "x: -", "y: - z", "z: a: b", "a1: #x", "b1: 'x",
  'c1: "y', "d1: [a,", "b]", "e1: &x y", "f1: *x", "g1: !t u", "h1: 2020-01-01", "i1: .5", "j1: [a:b, c: d]",
  "k1: {a}", "l1: [a#b, -1, - ]", "m1: x  ", "o1: 'a' b", "p1: [a] b", "q1: ü€", "r1: 😀 x", "__proto__: 1",
  's1: "\\ud800"', "t1: {a: 1,b: 2}", "u1: [http://x.y/z?q=1&r, a@b]", "v1: [ 'a', \"b\" ]", 'w1: {"a":1}', "<<: 1",
];

test("the library's own output in any style", () => {
  let plain = 0;
  fc.assert(
    fc.property(
      fc.dictionary(key, value, { minKeys: 1 }),
      fc.constantFrom("PLAIN", "QUOTE_DOUBLE", "QUOTE_SINGLE", "BLOCK_LITERAL", "BLOCK_FOLDED"),
      fc.record({ indent: fc.constantFrom(2, 4), indentSeq: fc.boolean(), lineWidth: fc.constantFrom(0, 80) }),
      (value, style, options) => {
        const text = stringify(value, { ...options, defaultStringType: style, aliasDuplicateObjects: false });
        if (isPlain(text)) plain += 1;
      },
    ),
    { numRuns },
  );
  expect(plain).toBeGreaterThan(0);
});

test("reads specs as the full parser does, also with a few characters changed", () => {
  expect(texts.filter(isPlain).length).toBeGreaterThan(texts.length / 2);
  const edit = fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(3), fc.constantFrom(...INSERTED));
  fc.assert(
    fc.property(fc.constantFrom(...texts), fc.array(edit, { minLength: 1, maxLength: 3 }), (text, edits) => {
      isPlain(
        edits.reduce((edited, [at, removed, added]) => {
          const place = Math.floor(at * edited.length);
          return edited.slice(0, place) + added + edited.slice(place + removed);
        }, text),
      );
    }),
    { numRuns },
  );
});

test("lines of every kind, in any order and at any column", () => {
  const line = fc.tuple(fc.constantFrom(0, 0, 0, 1, 2, 2, 2, 3, 4, 4, 6), fc.constantFrom(...LINES));
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 6 }), fc.constantFrom("", "\n"), (lines, end) => {
      isPlain(lines.map(([column, words]) => " ".repeat(column) + words).join("\n") + end);
    }),
    { numRuns: numRuns * 5 },
  );
});
