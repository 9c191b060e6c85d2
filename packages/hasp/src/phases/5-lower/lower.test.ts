import { describe, expect, test } from "vitest";
import { flatTool, plan as simplePlan } from "../../emitters/flat-tool.testing.js";
import type { CompilePlan, DialectPlan } from "../../model/plan.js";
import { lower } from "./index.js";

const dialect = (id: DialectPlan["id"], changes: Partial<DialectPlan> = {}): DialectPlan => ({
  id,
  strict: "auto",
  onUncarried: "error",
  ...changes,
});
const planFor = (...dialects: readonly DialectPlan[]): CompilePlan => ({ ...simplePlan, toolsets: [], dialects });
const simple = (name: string, changes: object = {}): ReturnType<typeof flatTool> =>
  flatTool({
    name,
    description: "Do it.",
    input: { type: "object", properties: { a: { type: "string" } }, additionalProperties: false },
    ...changes,
  });
const open = simple("open", { input: { type: "object", properties: {}, additionalProperties: true } });

describe("strictness", () => {
  test.each([
    [{}, "auto", true],
    [{}, false, false],
    [{}, true, true],
    [{ providers: { openai: { strict: false } } }, true, false],
    [{ providers: { openai: { strict: true } } }, false, true],
  ] as const)(
    "of a tool that says %j where the plan says %j is %j, and is written down",
    (changes, strict, expected) => {
      const { value } = lower([simple("one", changes)], planFor(dialect("openai-responses", { strict })));
      const tool = value[0]?.lists[0]?.tools[0];
      expect(tool?.strict).toBe(expected);
      expect(tool?.definition["strict"]).toBe(expected);
    },
  );

  test("auto falls back where strict mode cannot carry the tool; true does not", () => {
    const auto = lower([open], planFor(dialect("openai-responses")));
    expect(auto.value[0]?.lists[0]?.tools[0]?.strict).toBe(false);
    const asked = lower([open], planFor(dialect("openai-responses", { strict: true })));
    expect(asked.value[0]?.lists[0]?.excluded.map(({ tool }) => tool.name)).toEqual(["open"]);
    expect(asked.diagnostics.map(({ code, severity }) => `${severity} ${code}`)).toContain("error lower/uncarried");
  });

  test("a list that is strict by name holds strict tools only; the others are named with a reason", () => {
    const { value, diagnostics } = lower(
      [simple("one"), open],
      planFor(dialect("openai-responses-strict", { onUncarried: "exclude" })),
    );
    expect(value[0]?.lists[0]?.tools.map(({ tool, strict }) => [tool.name, strict])).toEqual([["one", true]]);
    expect(value[0]?.lists[0]?.excluded[0]?.reason).toMatch(/\S/u);
    expect(diagnostics.map(({ code, severity, tool }) => `${severity} ${code} ${tool}`)).toEqual([
      "warning lower/excluded open",
    ]);
  });

  test("auto stays within the budget of strict tools, the same for every toolset", () => {
    const many = Array.from({ length: 25 }, (_, index) =>
      simple(`tool_${String(index).padStart(2, "0")}`, {
        input: { type: "object", properties: {}, additionalProperties: false },
      }),
    );
    const { value, diagnostics } = lower(many, planFor(dialect("anthropic")));
    expect(value[0]?.lists[0]?.tools.filter(({ strict }) => strict).map(({ tool }) => tool.name)).toEqual(
      many.slice(0, 20).map(({ name }) => name),
    );
    expect(diagnostics).toEqual([]);
    const asked = lower(many, planFor(dialect("anthropic", { strict: true })));
    expect(asked.diagnostics.map(({ code }) => code)).toEqual(["lower/request"]);
  });

  test("strict mode that a provider does not have is said to have no effect", () => {
    const { diagnostics } = lower(
      [simple("one", { providers: { gemini: { strict: true } } })],
      planFor(dialect("gemini-json-schema")),
    );
    expect(diagnostics.map(({ code }) => code)).toEqual(["lower/no-strict-mode"]);
  });
});

describe("toolsets", () => {
  const tools = [simple("a", { tags: ["x"] }), simple("b", { tags: ["x"] }), simple("c")];
  const select = (
    include: CompilePlan["toolsets"][number]["include"],
    exclude: CompilePlan["toolsets"][number]["exclude"] = [],
  ): ReturnType<typeof lower> =>
    lower(tools, { ...planFor(dialect("mcp")), toolsets: [{ name: "some", include, exclude }] });

  test("select by name and tag, and leave out", () => {
    expect(select([{ tag: "x" }, "c"], ["a"]).value[0]?.tools.map(({ name }) => name)).toEqual(["b", "c"]);
    expect(select("all", [{ tag: "x" }]).value[0]?.tools.map(({ name }) => name)).toEqual(["c"]);
  });

  test("a name that selects nothing is an error, with the nearest", () => {
    expect(select("all", ["aa"]).diagnostics[0]?.message).toBe(
      'The toolset "some" names the tool "aa", which does not exist. Did you mean "a"?',
    );
    expect(select([{ tag: "y" }]).diagnostics.map(({ code }) => code)).toEqual([
      "lower/unknown-tag",
      "lower/empty-toolset",
    ]);
  });

  test("a project that names none has one, all", () => {
    expect(lower(tools, planFor(dialect("mcp"))).value.map(({ name }) => name)).toEqual(["all"]);
  });
});

test("MCP hints are the worst case, each said explicitly", () => {
  const worstCase = {
    class: "UNSAFE",
    isReadOnly: false,
    isDestructive: true,
    isIdempotent: false,
    isOpenWorld: true,
    requiresPermission: true,
  } as const;
  const { value } = lower([{ ...simple("one"), worstCase }], planFor(dialect("mcp")));
  expect(value[0]?.lists[0]?.tools[0]?.definition["annotations"]).toEqual({
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: true,
  });
});

test("a description that a provider finds too long leaves the tool out, not the list", () => {
  const long = simple("long", { description: "x".repeat(2000) });
  const { value } = lower([long, simple("one")], planFor(dialect("openai-chat", { onUncarried: "exclude" })));
  expect(value[0]?.lists[0]?.tools.map(({ tool }) => tool.name)).toContain("one");
});

test("examples travel in the shape that the model is shown", () => {
  const tool = simple("one", { examples: [{ input: {} }] });
  const { value } = lower([tool], planFor(dialect("vercel-ai-sdk")));
  expect(value[0]?.lists[0]?.tools[0]?.definition["inputExamples"]).toEqual([{ input: {} }]);
});
