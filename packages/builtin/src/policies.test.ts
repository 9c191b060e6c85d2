import fc from "fast-check";
import { expect, describe, test } from "vitest";
import { compile } from "../../../test/compiler/built-in.testing.js";
import type { PolicySpec } from "@hasp/compiler/claims";
import { covers, findMatchingTools } from "@hasp/compiler/claims";

const tool = (name: string, more: object = {}): string =>
  JSON.stringify({
    hasp: 1,
    name,
    description: "Do one thing to a queue. Use it when the queue is known. Do not use it to look.",
    input: {
      type: "object",
      required: ["queue"],
      properties: { queue: { enum: ["test", "prod"] }, force: { type: "boolean" } },
    },
    ...more,
  });
const specs = [
  { uri: "specs/run.tool.yaml", role: "spec" as const, text: tool("run_job", { aliases: ["start_job"] }) },
  { uri: "specs/stop.tool.yaml", role: "spec" as const, text: tool("stop_job") },
];

async function compiled(policy: unknown): Promise<Awaited<ReturnType<typeof compile>>> {
  const text = typeof policy === "string" ? policy : JSON.stringify({ hasp: 1, ...(policy as PolicySpec) });
  return compile([...specs, { uri: "policies/ops.yaml", role: "policy", text }], {
    toolsets: [{ name: "ops", include: "all", exclude: [], policy: "policies/ops.yaml" }],
    dialects: [],
    unlocked: true,
  });
}

const codes = async (policy: unknown): Promise<readonly string[]> =>
  (await compiled(policy)).diagnostics
    .filter(({ location }) => location?.uri === "policies/ops.yaml")
    .map(({ code, location }) => `${code} ${location?.pointer ?? ""}`);

describe("a policy is refused, with the place of the fault, if", () => {
  test.each<[string, unknown, string]>([
    ["a list", "[]", "policy/not-a-policy "],
    ["an unknown key", { modes: "plan" }, "policy/unknown-key /modes"],
    ["an unknown tool under deny", { deny: ["run_jobs"] }, "policy/unknown-tool /deny/0"],
    ["an unknown tool of a rule", { rules: [{ tool: "x_*", decision: "ask" }] }, "policy/unknown-tool /rules/0/tool"],
    [
      "a test of no tool",
      { tests: [{ tool: "start_job", input: {}, expect: "ask" }] },
      "policy/unknown-tool /tests/0/tool",
    ],
    [
      "a field that may be absent",
      { rules: [{ tool: "run_job", when: "input.force", decision: "ask" }] },
      "policy/predicate /rules/0/when",
    ],
    [
      "an undeclared field of the context",
      { rules: [{ tool: "run_job", when: "context.plan == 'free'", decision: "ask" }] },
      "policy/predicate /rules/0/when",
    ],
    [
      "the input of several tools",
      { rules: [{ tool: "*_job", when: "input.queue == 'test'", decision: "ask" }] },
      "policy/input-of-several-tools /rules/0/when",
    ],
  ])("it has %s", async (_, policy, code) => {
    expect(await codes(policy)).toContain(code);
    expect((await compiled(policy)).files).toEqual([]);
  });
});

test("a program is allowed only as a whole", async () => {
  const run = JSON.parse(tool("run_script")) as { input: { properties: object; required: string[] } };
  run.input = { ...run.input, properties: { script: { type: "string" } }, required: ["script"] };
  const text = (when: string): string =>
    JSON.stringify({ hasp: 1, rules: [{ tool: "run_script", when, decision: "allow" }] });
  const found = async (when: string): Promise<readonly string[]> =>
    (
      await compile(
        [
          { uri: "specs/a.tool.yaml", role: "spec", text: JSON.stringify(run) },
          { uri: "policies/ops.yaml", role: "policy", text: text(when) },
        ],
        { toolsets: [{ name: "ops", include: "all", exclude: [], policy: "policies/ops.yaml" }], unlocked: true },
      )
    ).diagnostics.map(({ code }) => code);
  expect(await found("input.script.startsWith('ls')")).toContain("policy/program-pattern");
  expect(await found("input.script in ['ls', 'pwd']")).not.toContain("policy/program-pattern");
});

test("reports only the syntax of a policy that cannot be parsed", async () => {
  const { diagnostics } = await compiled("a: [");
  expect(diagnostics.map(({ code }) => code).filter((code) => !/^(?:size|description)/u.test(code))).toEqual([
    "load/yaml-syntax",
  ]);
});

describe("rules without effect", () => {
  const asks = { decision: "ask" } as const;
  test.each<[string, PolicySpec, readonly string[]]>([
    [
      "a rule behind one for every call",
      {
        rules: [
          { tool: "*", ...asks },
          { tool: "run_job", decision: "deny" },
        ],
      },
      ["policy/shadowed-rule /rules/1"],
    ],
    [
      "a rule behind one with the same condition",
      {
        rules: [
          { tool: "run_job", when: "input.queue == 'test'", ...asks },
          { tool: "run_job", when: "input.queue == 'test'", decision: "deny" },
        ],
      },
      ["policy/shadowed-rule /rules/1"],
    ],
    [
      "a rule behind one for other calls",
      {
        rules: [
          { tool: "run_job", when: "input.queue == 'test'", ...asks },
          { tool: "run_job", decision: "deny" },
        ],
      },
      [],
    ],
    [
      "a wildcard behind a name",
      {
        rules: [
          { tool: "run_job", ...asks },
          { tool: "*_job", ...asks },
        ],
      },
      [],
    ],
  ])("reports rules without effect, and no others: %s", async (_, policy, expected) => {
    expect(await codes(policy)).toEqual(expected);
  });

  test.each<[string, PolicySpec]>([
    ["an allow that deny refuses", { deny: ["run_*"], rules: [{ tool: "run_job", decision: "allow" }] }],
    ["an allow of an alias", { rules: [{ tool: "start_job", decision: "allow" }] }],
    ["an allow of a writer in mode plan", { mode: "plan", rules: [{ tool: "run_job", decision: "allow" }] }],
    ["a wildcard for what is destructive", { rules: [{ tool: "run_*", decision: "allow" }] }],
  ])("reports a rule that never allows: %s", async (_, policy) => {
    expect(await codes(policy)).toContain("policy/never-allows /rules/0");
  });

  test("a shadowed rule comes with a call that both match", async () => {
    const when = "input.queue == 'test' && context.plan == 'team'";
    const { diagnostics } = await compiled({
      context: { plan: { enum: ["free", "team"] } },
      rules: [
        { tool: "run_job", ...asks },
        { tool: "run_job", when, decision: "deny" },
      ],
    });
    const { message } = diagnostics.find(({ code }) => code === "policy/shadowed-rule") ?? {};
    expect(message).toContain('{"tool":"run_job","input":{"queue":"test"},"context":{"plan":"team"}}');
  });
});

test("asks for an approval of everything that a policy allows, and of nothing else", async () => {
  const { diagnostics } = await compiled({
    deny: ["stop_job"],
    rules: [
      { tool: "run_job", when: "input.queue == 'prod'", decision: "ask" },
      { tool: "run_job", decision: "allow" },
    ],
    mode: "accept-writes",
  });
  const waiting = diagnostics.filter(({ code }) => code === "ledger/not-approved");
  expect(waiting.map(({ location }) => location?.pointer)).toEqual(["/rules/1", "/mode"]);
});

test("its module holds the rules as they are, with the conditions as functions", async () => {
  const { files } = await compiled({
    context: { roles: { items: { type: "string" }, maxItems: 5 } },
    rules: [
      {
        tool: "run_job",
        when: "has(input.force) && input.force && context.roles.exists(role, role == 'ops')",
        decision: "ask",
        reason: "It is forced.",
      },
    ],
    mode: "unattended",
  });
  const module = files.find(({ path }) => path === "src/generated/ops/policy.ts")?.text ?? "";
  expect(module).toContain('exists(member(call, "context", "roles"), (role) => role === "ops")');
  expect(module).toContain('mode: "unattended"');
  expect(module).toContain("readonly roles: readonly string[];");
});

test("a pattern covers a name only if it matches all that the name matches", () => {
  const tools = ["a", "ab", "b"].map((name) => ({ name, spec: {} })) as unknown as Parameters<
    typeof findMatchingTools
  >[0];
  const pattern = fc.stringMatching(/^[ab*]{1,3}$/u);
  fc.assert(
    fc.property(pattern, pattern, (wide, narrow) => {
      if (!covers(wide, narrow, tools)) return;
      const inWide = findMatchingTools(tools, wide);
      for (const each of findMatchingTools(tools, narrow)) expect(inWide).toContain(each);
    }),
  );
});

test("the policy of a toolset takes the path of no tool's module", async () => {
  const { diagnostics, files } = await compile(
    [
      { uri: "specs/policy.tool.yaml", role: "spec", text: tool("policy") },
      { uri: "policies/ops.yaml", role: "policy", text: JSON.stringify({ hasp: 1, deny: ["policy"] }) },
    ],
    { toolsets: [{ name: "tools", include: "all", exclude: [], policy: "policies/ops.yaml" }], dialects: [] },
  );
  expect(files).toEqual([]);
  expect(diagnostics.filter(({ severity }) => severity === "error")).toMatchObject([
    { code: "emit/same-path", message: expect.stringContaining('tools/policy.ts"') as string },
  ]);
});
