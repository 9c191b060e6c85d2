import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { countTokensExactly } from "../../packages/compiler/src/text/prompt-tokens.js";
import { hasp, haspJson, minimalSpec, project, startHasp } from "./command-line.js";

const specs = {
  "specs/a.tool.yaml": minimalSpec("a"),
  "specs/b.tool.yaml": minimalSpec("b", "visibility: always\n"),
};
const withBudgets = (budgets: string): string =>
  project({ ...specs, "hasp.config.yaml": `specs: [specs]\ndialects: [anthropic]\nbudgets: ${budgets}\n` });

/** The counts that the findings of one run name. */
async function counts(folder: string, ...words: readonly string[]): Promise<readonly number[]> {
  const { diagnostics } = await haspJson(folder, ["check", ...words]);
  return diagnostics
    .filter(({ code }) => code === "size/over-budget")
    .map(({ message }) => Number(/about (\d+) tokens/.exec(message)?.[1]));
}

test("budgets of a tool, of a toolset and of what is always loaded", async () => {
  const [a = 0, b = 0] = await counts(withBudgets("{ toolTokens: 1 }"));
  expect(a).toBeGreaterThan(20);
  expect(await counts(withBudgets(`{ toolTokens: ${Math.max(a, b)} }`))).toEqual([]);
  expect(await counts(withBudgets("{ toolsetTokens: 1 }"))).toEqual([a + b]);
  expect(await counts(withBudgets("{ alwaysLoadedTokens: 1 }"))).toEqual([b]);
});

test("--exact and budgets.exact count with a tokenizer, near the estimate", async () => {
  const folder = withBudgets("{ toolsetTokens: 1 }");
  const [estimate = 0] = await counts(folder);
  const [exact = 0] = await counts(folder, "--exact");
  expect(exact / estimate).toBeGreaterThan(0.7);
  expect(exact / estimate).toBeLessThan(1.3);
  expect(exact).not.toBe(estimate);
  expect(await counts(withBudgets("{ toolsetTokens: 1, exact: true }"))).toEqual([exact]);
});

test("without the tokenizer nothing is counted, and the message says what to install", () => {
  const folder = withBudgets("{ exact: true }");
  const absent = project({
    "absent.cjs": `const module_ = require("node:module");
const find = module_._resolveFilename;
module_._resolveFilename = function (name, ...rest) {
  if (name.startsWith("gpt-tokenizer")) throw new Error("Cannot find module '" + name + "'\\nRequire stack:");
  return find.call(this, name, ...rest);
};
`,
  });
  const run = startHasp(folder, ["check"], { NODE_OPTIONS: `--require ${JSON.stringify(`${absent}/absent.cjs`)}` });
  expect(run.code).toBe(2);
  expect(run.out).toContain(
    "Tokens cannot be counted exactly: Cannot find module 'gpt-tokenizer/encoding/o200k_base'.",
  );
  expect(run.out).toContain("Install gpt-tokenizer in the project");
});

test("help names the option", async () => {
  expect((await hasp(project(), ["check", "--help"])).out).toContain("--exact");
});

test("examples in words cost at most a twentieth of the worked example's lists", () => {
  const lists = ["anthropic", "openai-responses", "openai-responses-strict", "gemini", "gemini-json-schema", "mcp"].map(
    (dialect) =>
      readFileSync(new URL(`../../tools-spec/src/generated/providers/${dialect}.json`, import.meta.url), "utf8"),
  );
  const count = (list: unknown): number => countTokensExactly(JSON.stringify(list));
  const without = (_: string, value: unknown): unknown =>
    typeof value === "string" ? value.replace(/[ \n]Example: .*$/su, "") : value;
  const [bare, whole] = [without, undefined].map((reviver) =>
    lists.reduce((sum, list) => sum + count(JSON.parse(list, reviver)), 0),
  );
  expect(whole).toBeGreaterThan(bare ?? 0);
  expect(whole).toBeLessThanOrEqual((bare ?? 0) * 1.05);
});
