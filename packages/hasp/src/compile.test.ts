import { existsSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CompileOptions, CompileResult, SourceText, CompilePlan } from "@hasp/compiler";
import { compile } from "@hasp/project/built-in";
import { toPlan } from "@hasp/project/config";
import { readProject } from "@hasp/project/read";

const example = join(import.meta.dirname, "../../../tools-spec");

function defaultPlan(): CompilePlan {
  const { value } = toPlan({
    own: undefined,
    presets: [],
    ruleFiles: [],
    knownRules: [],
    unlocked: true,
    today: "2027-01-01",
  });
  if (value === undefined) throw new Error("the empty configuration has a plan");
  return value.plan;
}

const spec = (name: string, rest = ""): SourceText => ({
  uri: `${name}.tool.yaml`,
  role: "spec",
  text: `hasp: 1\nname: ${name}\ndescription: Does ${name}.\ninput: { type: object, properties: { x: { type: string } } }\n${rest}`,
});

const hasError = (result: CompileResult): boolean => result.diagnostics.some(({ severity }) => severity === "error");

describe("all or nothing", () => {
  test("a clean run gives files", async () => {
    const result = await compile([spec("a"), spec("b")], defaultPlan());
    expect(hasError(result)).toBe(false);
    expect(result.files.map(({ path }) => path)).toContain("src/generated/providers/mcp.ts");
  });

  test.each([
    ["a text that does not parse", { uri: "c.tool.yaml", role: "spec", text: "a: [" } as const],
    ["a spec of a wrong form", spec("c", "limits: { timeoutSeconds: 0 }")],
    ["a schema that means nothing", { ...spec("c"), text: spec("c").text.replace("string", "strin") }],
    [
      "a pattern that could block the process on its own default",
      {
        ...spec("c"),
        text: spec("c").text.replace(
          "type: string",
          `type: string, pattern: '^(a+)+\\1$', default: ${"a".repeat(60)}!`,
        ),
      },
    ],
    ["a condition that means nothing", spec("c", "validate: [{ that: input.y == 'x', message: no }]")],
  ])("%s: no file at all, and the other tools are still looked at", async (_, source) => {
    const result = await compile([spec("a"), source, spec("b", "tags: []")], defaultPlan());
    expect(hasError(result)).toBe(true);
    expect(result.files).toEqual([]);
    expect(result.tools.map(({ name }) => name)).toEqual(expect.arrayContaining(["a", "b"]));
  });
});

test.skipIf(!existsSync(join(example, "specs")))("the order in which files are found changes no byte", async () => {
  const { sources, plan = defaultPlan() } = await readProject(example, { unlocked: true, today: "2027-01-01" });
  const expected = await compile(sources, plan);
  expect(expected.files.length).toBeGreaterThan(10);
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray([...sources], { minLength: sources.length }), async (shuffled) => {
      const { files, diagnostics, losses } = await compile(shuffled, plan);
      expect({ files, diagnostics, losses }).toEqual({
        files: expected.files,
        diagnostics: expected.diagnostics,
        losses: expected.losses,
      });
    }),
    { numRuns: 1 },
  );
});

test("a check finds what a build finds, and makes no files", async () => {
  const sources = [spec("a", "concurrency: { class: READ_ONLY }\n"), spec("b", "display: { done: '{z}' }\n")];
  const checked = await compile(sources, defaultPlan(), { emits: false });
  expect(checked.files).toEqual([]);
  expect(checked.diagnostics).toEqual((await compile(sources, defaultPlan())).diagnostics);
  expect((await compile([spec("a")], defaultPlan(), { emits: false })).files).toEqual([]);
});

test("losses come with witnesses", async () => {
  // Gemini cannot close objects.
  const sources = [spec("a")];
  const plan = { ...defaultPlan(), dialects: [{ id: "gemini", strict: "auto", onUncarried: "error" } as const] };
  const witnesses = async (options: CompileOptions): Promise<readonly unknown[]> =>
    (await compile(sources, plan, options)).losses.map(({ witness }) => witness);
  expect(await witnesses({ emits: false })).toEqual([{ further: null }]);
  expect(await witnesses({})).toEqual([{ further: null }]);
});

test("compile leaves its input unchanged", async () => {
  const plan = defaultPlan();
  const sources = [spec("a"), spec("b")];
  const before = JSON.stringify({ plan, sources });
  await compile(sources, plan);
  expect(JSON.stringify({ plan, sources })).toBe(before);
});
