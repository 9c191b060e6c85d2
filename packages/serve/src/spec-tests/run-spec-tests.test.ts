import { describe, expect, test } from "vitest";
import type { FlatTool } from "@hasp/compiler";
import { builtInPlugins, compile } from "@hasp/project/built-in";
import { completePlan } from "@hasp/compiler/model";
import { flatTools } from "../../../../test/compiler/flat-tools.testing.js";
import { spec } from "@hasp/compiler/plugin";
import type { EmittedTool, SpecTestOptions } from "@hasp/builtin/tests";
import { runModules } from "@hasp/project/emitted";
import { askFunction, type HandlerFunction, loadEmittedTools, runSpecTests } from "@hasp/builtin/tests";

const TOOL = spec`
  name: copy
  description: Copy.
  input:
    type: object
    required: [mode]
    properties: { mode: { enum: [read, write] }, path: { type: string, minLength: 1 }, dry: { type: boolean, default: false } }
  concurrency: { rules: [{ when: input.mode == 'read' && !input.dry, class: READ_ONLY }] }
  behavior: { requiresPermission: { when: input.mode == 'write' }, destination: input.mode }
  validate: [{ that: "!has(input.path) || !input.path.startsWith('/')", message: relative paths only }]
`;

/** A function that answers in this process instead of a child. */
const asked =
  (judge: (...parameters: readonly unknown[]) => unknown, common?: object): HandlerFunction =>
  (question) =>
    askFunction(judge, question, common);

async function run(text: string, options?: SpecTestOptions): Promise<readonly string[]> {
  const { tools, diagnostics } = flatTools([{ uri: "copy.tool.yaml", text, role: "spec" }]);
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  const results = await runSpecTests(tools, options);
  return results.map(({ kind, index, status, problems }) => {
    const lines = problems.map(({ message, location }) => `${location.pointer}: ${message}`);
    return [`${kind} ${index} ${status}`, ...lines].join("\n");
  });
}

test("passes tests whose expectations hold", async () => {
  const results = await run(`${TOOL}examples:
  - input: { mode: read, path: a }
tests:
  - { input: { mode: read }, expect: { class: READ_ONLY, isReadOnly: true, isDestructive: false, isIdempotent: true, requiresPermission: false } }
  - { input: { mode: write }, expect: { class: UNSAFE, isDestructive: true, requiresPermission: true } }
  - { input: { mode: read, dry: "true" }, expect: { class: UNSAFE } }
  - { input: { mode: reed }, expect: { invalid: /mode } }
  - { input: { mode: read, path: "" }, expect: { valid: false } }
  - { input: { mode: read, path: /etc }, expect: { invalid: "" } }
  - { input: [], expect: { invalid: "" } }
`);
  expect(results.map((line) => line.split(" ")[2])).toEqual(Array(8).fill("passed"));
});

test("reports each expectation that does not hold at its place", async () => {
  expect(
    await run(`${TOOL}examples:
  - input: { mode: read, path: /etc }
tests:
  - { input: { mode: read }, expect: { class: UNSAFE, isDestructive: true } }
  - { input: { mode: reed }, expect: { class: READ_ONLY } }
  - { input: { mode: reed }, expect: { invalid: /path } }
  - { input: { mode: read }, expect: { valid: false } }
`),
  ).toEqual([
    "example 0 failed\n/examples/0/input: The input is rejected: relative paths only",
    "test 0 failed\n/tests/0/expect/class: class is READ_ONLY, not UNSAFE.\n/tests/0/expect/isDestructive: isDestructive is false, not true.",
    expect.stringMatching(/^test 1 failed\n\/tests\/1\/input: The input is rejected at \/mode: /u),
    expect.stringMatching(/^test 2 failed\n\/tests\/2\/expect\/invalid: The input is rejected at \/mode instead/u),
    "test 3 failed\n/tests/3/expect/valid: The input is accepted.",
  ]);
});

test("asks the handler for the answers of its functions, or skips the test", async () => {
  const custom = TOOL.replace("when: input.mode == 'read' && !input.dry", "custom: isHarmless").replace(
    /validate:.*\n/u,
    "validate: [{ custom: isKnown }]\n",
  );
  const text = `${custom}tests:
  - { input: { mode: read }, expect: { class: READ_ONLY } }
  - { input: { mode: write }, expect: { valid: false } }
  - { input: { mode: reed }, expect: { valid: false } }
  - { input: { mode: read }, expect: { valid: true } }
`;
  const missing = (await run(text)).map((line) => line.split(" ")[2]?.split("\n")[0]);
  // A check that nobody ran might refuse, so nothing is accepted yet; the schema's refusal stands.
  expect(missing).toEqual(["skipped", "skipped", "passed", "skipped"]);
  const functions: { readonly [name: string]: (input: unknown) => unknown } = {
    isHarmless: () => true,
    isKnown: async (input) => (input as { mode: string }).mode === "read" || "unknown mode",
  };
  const given = await run(text, { custom: (_, name) => asked(functions[name] ?? expect.fail(name)) });
  expect(given.map((line) => line.split(" ")[2])).toEqual(["passed", "passed", "passed", "passed"]);
});

test("a check that reads the context of the call is asked where the test brings one", async () => {
  const text = `${TOOL.replace(/validate:.*\n/u, "validate: [{ custom: isOwn }]\n")}tests:
  - { input: { mode: read }, context: { account: a }, expect: { valid: true } }
  - { input: { mode: read }, context: { account: b }, expect: { valid: true } }
  - { input: { mode: read }, expect: { valid: true } }
  - { input: { mode: read }, expect: { valid: false } }
  - { input: { mode: read }, expect: { class: READ_ONLY } }
`;
  const isOwn = (_input: unknown, options: unknown): unknown => {
    const { context } = options as { readonly context: { readonly account: string } };
    return context.account === "a" || "not your account";
  };
  const lines = await run(text, { custom: () => asked(isOwn) });
  expect(lines.slice(0, 2)).toEqual([
    "test 0 passed",
    "test 1 failed\n/tests/1/input: The input is rejected: not your account",
  ]);
  const why =
    '/tests/2: The result depends on isOwn, which reads the context of the call, but there is none: set "context" in the test or "context.test" in the configuration.';
  expect(lines[2]).toBe(`test 2 skipped\n${why}`);
  expect(lines[3]).toContain("test 3 skipped");
  // A class does not tell what a check accepts.
  expect(lines[4]).toBe("test 4 passed");
  // The project's context is used where a test names none.
  expect(
    (await run(text, { custom: () => asked(isOwn, { account: "a" }) })).slice(1, 4).map((line) => line.split("\n")[0]),
  ).toEqual(["test 1 failed", "test 2 passed", "test 3 failed"]);
  // A function that catches the refusal and answers anyway has not been asked either.
  const careless = (input: unknown, options: unknown): unknown => {
    try {
      return isOwn(input, options);
    } catch {
      return true;
    }
  };
  expect((await run(text, { custom: () => asked(careless) }))[2]).toContain("skipped");
});

test("a check that throws refuses, as it does in a call", async () => {
  const text = `${TOOL.replace(/validate:.*\n/u, "validate: [{ custom: isOwn }]\n")}tests:
  - { input: { mode: read }, expect: { invalid: "" } }
  - { input: { mode: read }, expect: { valid: true } }
`;
  const isOwn = (): never => {
    throw new Error("no database");
  };
  expect(await run(text, { custom: () => asked(isOwn) })).toEqual([
    "test 0 passed",
    "test 1 failed\n/tests/1/input: The input is rejected: isOwn threw: no database",
  ]);
});

test("a function that never answers fails every test that rests on it, also one that expects a refusal", async () => {
  const custom = TOOL.replace("when: input.mode == 'read' && !input.dry", "custom: isHarmless").replace(
    /validate:.*\n/u,
    "validate: [{ custom: isKnown }]\n",
  );
  const text = `${custom}tests:
  - { input: { mode: read }, expect: { invalid: "" } }
  - { input: { mode: write }, expect: { class: UNSAFE } }
  - { input: { mode: reed }, expect: { valid: false } }
`;
  const stuck: HandlerFunction = async () => ({ kind: "lapsed", reason: "did not answer within 1 seconds" });
  const first = "failed\n/tests/0/input: isKnown did not answer within 1 seconds.";
  expect(await run(text, { custom: () => stuck })).toEqual([
    `test 0 ${first}`,
    `test 1 ${first.replace("/0/", "/1/")}`,
    "test 2 passed",
  ]);
  const lines = await run(text, { custom: (_, name) => (name === "isHarmless" ? stuck : asked(() => true)) });
  expect(lines[1]).toBe("test 1 failed\n/tests/1/input: isHarmless did not answer within 1 seconds.");
});

test("asks only the conditions that the decision table reaches", async () => {
  const custom = TOOL.replace(
    "[{ when: input.mode == 'read' && !input.dry, class: READ_ONLY }]",
    "[{ custom: first, class: WRITE_EXCLUSIVE }, { custom: second, class: READ_ONLY }]",
  );
  const text = `${custom}tests:
  - { input: { mode: read }, expect: { class: WRITE_EXCLUSIVE } }
  - { input: { mode: write }, expect: { class: READ_ONLY } }
`;
  const calls: string[] = [];
  const functions: { readonly [name: string]: (input: unknown) => unknown } = {
    first: (input) => (calls.push("first"), (input as { mode: string }).mode === "read"),
    second: () => (calls.push("second"), true),
  };
  expect(await run(text, { custom: (_, name) => asked(functions[name] ?? expect.fail(name)) })).toEqual([
    "test 0 passed",
    "test 1 passed",
  ]);
  expect(calls).toEqual(["first", "first", "second"]);
});

describe("the generated module", () => {
  const text = `${TOOL}tests:\n  - { input: { mode: read }, expect: { class: READ_ONLY } }\n`;
  async function emitted(): Promise<{ readonly tools: readonly FlatTool[]; readonly tool: EmittedTool }> {
    const plan = completePlan({ dialects: ["openai-responses-strict"], unlocked: true, today: "2027-01-01" });
    const { tools, toolsets } = await compile([{ uri: "copy.tool.yaml", text, role: "spec" }], plan);
    const { value } = await loadEmittedTools({ tools, toolsets, plan }, { plugins: builtInPlugins, runModules });
    return { tools, tool: value.get("copy") ?? expect.fail("nothing was emitted") };
  }

  test("comes to what its spec says, and one that does not fails the test", async () => {
    const { tools, tool } = await emitted();
    const statusWith = async (changed: EmittedTool): Promise<readonly unknown[]> =>
      (await runSpecTests(tools, { emitted: new Map([["copy", changed]]) })).map(({ status, problems }) => [
        status,
        ...problems.map(({ message }) => message),
      ]);
    expect(await statusWith(tool)).toEqual([["passed"]]);
    const path = "src/generated/specs/index.ts";
    const other = `${path} gives a different result than the spec of copy. This is a bug in hasp; please report it.`;
    expect(await statusWith({ ...tool, tool: { ...tool.tool, rules: [] } })).toEqual([["failed", other]]);
    const strict = { ...tool.tool.input, schema: { type: "object", required: ["path"] } as const };
    expect(await statusWith({ ...tool, tool: { ...tool.tool, input: strict } })).toEqual([["failed", other]]);
    expect(await statusWith({ ...tool, decodersThatDiffer: () => ["gemini"] })).toEqual([
      ["failed", `${path} decodes a call from gemini into a different input. This is a bug in hasp; please report it.`],
    ]);
  });

  test("decodes as its form does", async () => {
    const { tool } = await emitted();
    expect(tool.decodersThatDiffer({ mode: "read", dry: false })).toEqual([]);
  });
});
