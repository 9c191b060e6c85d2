import fc from "fast-check";
import type { JsonSchema } from "@hasp/schema";
import { describe, expect, test } from "vitest";
import { parseExpression } from "../../typescript/javascript.js";
import { createPredicateCompiler } from "../compile-predicate.js";
import type { ExpressionPredicate } from "../model/compiled-predicate.js";
import { partsOf } from "../model/expression.js";
import { proveCondition } from "./prove-condition.js";
import { readJavaScript } from "./read-javascript.js";
import { createSandbox } from "./run-javascript.js";

const input: JsonSchema = {
  type: "object",
  required: ["mode", "text", "count", "ratio", "flag", "tags", "at", "map"],
  properties: {
    mode: { enum: ["read", "write", "list"] },
    text: { type: "string", maxLength: 9 },
    count: { type: "integer" },
    ratio: { type: "number" },
    flag: { type: "boolean" },
    tags: { type: "array", maxItems: 4, items: { type: "string", maxLength: 9 } },
    rows: {
      type: "array",
      maxItems: 4,
      items: { type: "object", required: ["a"], properties: { a: { type: "string" } } },
    },
    at: { type: "string" },
    map: { type: "object", additionalProperties: { type: "string" } },
    scope: { type: "string" },
    nested: { type: "object", required: ["x"], properties: { x: { type: "integer" }, y: { type: "string" } } },
  },
};

const compile = createPredicateCompiler(input);
function compiled(source: string): ExpressionPredicate {
  const { predicate, problems } = compile(source);
  return predicate ?? expect.fail(JSON.stringify(problems));
}

const sandbox = createSandbox();
function prove(predicate: ExpressionPredicate, text: string): ReturnType<typeof proveCondition> {
  const printed = { text, node: parseExpression(text) };
  return proveCondition(printed, { predicate, input, given: [], sandbox, limit: 200 });
}
const faultOf = (predicate: ExpressionPredicate, text: string): string | undefined => {
  const proof = prove(predicate, text);
  return "fault" in proof ? proof.fault : undefined;
};

/** Every kind of expression at least once. */
const sources = [
  "true",
  "input.mode == 'read'",
  "input.mode != 'read'",
  "!(input.mode == 'read')",
  "!input.flag",
  "input.flag && input.text == '' || !input.flag && input.text != ''",
  "input.flag && (input.text == '' || input.flag)",
  "input.flag ? input.text == 'a' : (input.count > 1 ? true : false)",
  "input.map == input.map",
  "input.map != input.map",
  "has(input.scope) && input.scope == 'x'",
  "has(input.nested) && has(input.nested.y) && input.nested.y == 'x'",
  "has(input.nested) && input.nested.x >= 3",
  "present(input, 'scope')",
  "'k' in input.map",
  "input.text in input.map",
  "input.mode in ['read', 'list']",
  "'a' in input.tags",
  "has(input.rows) && input.rows.exists(r, r in input.rows)",
  "input.count + 1 < 3 && input.count - 1 <= 3 && input.count * 2 > 3",
  "input.count / 2 == 1 && input.count % 2 == 1",
  "input.ratio + 1.0 >= 3.0 || input.ratio - 1.0 == 1.0 || input.ratio * 2.0 == 1.0 || input.ratio / 2.0 < 1.0",
  "-input.count == 3 && -input.ratio < -1.5 && -(-3) == input.count",
  "input.text + 'x' == 'yx'",
  "input.text < 'a' && input.text <= 'b' && input.text > 'c' && input.text >= 'd'",
  "size(input.text) > 1 && size(input.tags) > 1 && size(input.map) > 1",
  "input.text.startsWith('a') && input.text.endsWith('b') && input.text.contains('c')",
  "input.text.matches('^a/[a-z\\u200b]*</script$')",
  "input.text.matches('^(?:a|b)+$')",
  "timestamp(input.at) + duration('1h') < timestamp('2026-01-31T12:00:00Z')",
  "timestamp(input.at) - duration('1h') == timestamp('2026-01-31T12:00:00Z')",
  "timestamp(input.at) - timestamp('2026-01-31T12:00:00Z') + duration('1h') < duration('2h') - duration('1h')",
  "input.tags.all(tag, tag != 'x')",
  "input.tags.exists(input_, input_ == input.text)",
  "input.tags.all(t, input.tags.exists(u, t == u && t != input.text))",
  "input.tags.exists(member, member == 'x')",
  "input.tags.all(t, input.tags.exists(t, t == 'x'))",
  "input.text == '\\u2028</script>\"'",
];
const predicates = sources.map((source) => [source, compiled(source)] as const);

test.each(predicates)("%s is read back as printed, and answers the same", (_, predicate) => {
  expect(prove(predicate, `(input) => ${predicate.javascript}`)).toEqual({ helpers: new Set(predicate.helpers) });
});

test("nothing else is read back as it", () => {
  for (const [source, predicate] of predicates) {
    for (const [other, { javascript }] of predicates) {
      if (other === source || javascript === predicate.javascript) continue;
      const same = ["input.mode != 'read'", "!(input.mode == 'read')"];
      if (same.includes(source) && same.includes(other)) continue;
      expect(faultOf(predicate, `(input) => ${javascript}`), `${source}: ${javascript}`).toBeDefined();
    }
  }
});

test("every kind of expression is among them", () => {
  const kinds = new Set<string>();
  const visit = (each: ExpressionPredicate["expression"]): void => {
    kinds.add(each.kind);
    for (const part of partsOf(each)) visit(part);
  };
  for (const [, { expression }] of predicates) visit(expression);
  expect([...kinds].toSorted()).toEqual(
    (
      "and arithmetic condition equals has in-list in-map input list literal matches member negate not or order " +
      "quantifier size string-test time variable"
    ).split(" "),
  );
});

describe("only a condition is read, and nothing of it runs before", () => {
  const predicate = compiled("input.flag");
  test.each([
    "(input) => process.exit(1)",
    "(input) => { return member(input, 'flag'); }",
    "async (input) => member(input, 'flag')",
    "(input) => member(input, 'flag') ?? true",
    "(input) => member(input, 'flag', ...[])",
    "(input) => member(input, member(input, 'text'))",
    "(input) => input['flag']",
    "(input) => input.flag",
    "(input) => member?.(input, 'flag')",
    "(input, other) => member(input, 'flag')",
    "(other) => member(other, 'flag')",
    "(input = 1) => member(input, 'flag')",
    "(input) => (member(input, 'flag'), true)",
    "(input) => `${input}`",
    "(input) => new member(input, 'flag')",
    "(input) => member`flag`",
    "(input) => /a/g.test(member(input, 'text'))",
    "(input) => all(member(input, 'tags'), (all) => all(all, 'x'))",
    "(input) => exists(member(input, 'tags'), (member) => member(input, 'flag'))",
    "(input) => exists(member(input, 'tags'), (Object) => Object.keys(input).length)",
    "(input) => Object.keys(input).length()",
    "(input) => void 0",
    "(input) => 1n === 1n",
    "(input) => compareText('a', 'b') < 1",
    "(input) => safeInteger(1)",
    "(input) => checkedTimestamp(1 * 2)",
    "function (input) { return true; }",
  ])("%s", (text) => {
    expect(readJavaScript(parseExpression(text))).toBeUndefined();
    expect(faultOf(predicate, text)).toBe("is no condition");
  });
});

test("a function of the runtime that answers otherwise than the checker is found where the trees agree", () => {
  const predicate = compiled("input.count > 3");
  const wrong = { ...predicate, evaluate: (value: unknown) => !predicate.evaluate(value) };
  expect(faultOf(wrong, `(input) => ${predicate.javascript}`)).toMatch(/^answers (?:true|false) for \{/u);
});

test("any text of JavaScript is read or refused, never an exception", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...predicates),
      fc.nat(),
      fc.constantFrom("!", "-", "(", "input", " && ", "1", "[", "=", "."),
      (one, at, part) => {
        const text = `(input) => ${one[1].javascript}`;
        const changed = text.slice(0, at % text.length) + part + text.slice(at % text.length);
        let node;
        try {
          node = parseExpression(changed);
        } catch {
          return;
        }
        readJavaScript(node);
      },
    ),
    { numRuns: 2000 },
  );
});
