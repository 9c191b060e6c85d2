import fc from "fast-check";
import { expect, test } from "vitest";
import { isLinearNatively } from "./pattern-inclusion.js";
import { compilePattern, parsePattern, type PatternInstruction } from "./parse-pattern.js";

test.each([
  ["^[a-z]+_[0-9a-z]+$", true],
  ["^[a-z]+(?:-[a-z]+)*$", true],
  ["^\\d{4}-\\d{2}-\\d{2}(?:T\\d{2}:\\d{2})?$", true],
  ["^#[0-9a-f]{3}(?:[0-9a-f]{3})?$", true],
  ["^(?:a|b)+c", true],
  ["^a", true],
  ["[a-z]+_[0-9a-z]+$", false],
  ["^[a-z]+[0-9a-z]+$", false],
  ["^(a+)+$", false],
  ["^(?:a?){20}b$", false],
  ["^(?:a|ab)*$", false],
  ["^\\p{L}+_\\p{N}+$", false],
  ["^(?:[a-z]+_)?x[a-z]*$", false],
] as const)("isLinearNatively of %s is %s", (pattern, isLinear) => {
  expect(isLinearNatively(pattern)).toBe(isLinear);
});

/** Counts the steps of a backtracking engine, as native engines are. */
function countSteps(program: readonly PatternInstruction[], text: string, most: number): number {
  let steps = 0;
  const run = (index: number, at: number): boolean => {
    steps += 1;
    if (steps > most) return true;
    const instruction = program[index];
    switch (instruction?.kind) {
      case "match":
        return true;
      case "character": {
        const character = text.charAt(at);
        return new RegExp(`^(?:${instruction.source})$`, "u").test(character) && run(index + 1, at + 1);
      }
      case "start":
        return at === 0 && run(index + 1, at);
      case "end":
        return at === text.length && run(index + 1, at);
      case "jump":
        return instruction.targets.some((target) => run(index + target, at));
      default:
        return expect.fail(`${instruction?.kind} is not proved`);
    }
  };
  for (let start = 0; start <= text.length; start += 1) if (run(0, start)) break;
  return steps;
}

const pattern: fc.Arbitrary<string> = fc.letrec<{ readonly node: string }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom("a", "b", "c", "[ab]", "[^a]", "$"),
    fc.tuple(tie("node"), tie("node")).map(([left, right]) => left + right),
    fc.tuple(tie("node"), tie("node")).map(([left, right]) => `(?:${left}|${right})`),
    fc
      .tuple(tie("node"), fc.constantFrom("*", "+", "?", "{2}", "{1,3}"))
      .map(([inner, times]) => `(?:${inner})${times}`),
  ),
})).node;

test("a pattern that is proved takes few steps for each character, whatever the text", () => {
  let proved = 0;
  fc.assert(
    fc.property(pattern, fc.array(fc.constantFrom("a", "b", "c"), { minLength: 20, maxLength: 60 }), (rest, text) => {
      const tree = parsePattern(`^${rest}`);
      const program = tree && compilePattern(tree, 1000);
      if (program === undefined || !isLinearNatively(`^${rest}`)) return;
      proved += 1;
      const most = 100 * (text.length + 1);
      expect(countSteps(program, text.join(""), most)).toBeLessThan(most);
    }),
    { numRuns: Number(process.env["HASP_FUZZ_RUNS"] ?? 50) * 10 },
  );
  expect(proved).toBeGreaterThan(100);
});
