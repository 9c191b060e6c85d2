import type { JsonObject } from "@hasp/schema";
import { beforeAll, describe, expect, test } from "vitest";
import { builtInPlugins, compile } from "../../plugins/built-in.js";
import { completePlan } from "@hasp/compiler/model";
import { emitFiles } from "../../../../../test/compiler/built-in.testing.js";
import { anthropicToolset, flatTool, plan as simplePlan } from "../../../../../test/compiler/flat-tool.testing.js";
import { verifyBuild } from "@hasp/builtin/verify";
import type { BuildToVerify } from "@hasp/builtin/verify";
import { answerQuestions } from "./answer-questions.js";

/** Verifies a build after replacing a text in one of its files. */
async function verifyWith(build: BuildToVerify, path: string, before: string, after: string): Promise<void> {
  expect(build.files.find((file) => file.path === path)?.text).toContain(before);
  const files = build.files.map((file) =>
    file.path === path ? { ...file, text: file.text.replace(before, () => after) } : file,
  );
  await verifyBuild({ ...build, files }, builtInPlugins, answerQuestions);
}

describe("the files of a tool", () => {
  const tools = [
    flatTool({
      name: "pay",
      description: 'Pay "now" */ `${x}` \u2028 </script>.',
      input: {
        type: "object",
        properties: { ["__proto__"]: { const: "constructor" }, amount: { type: "number", default: -0 } },
        additionalProperties: false,
      },
      output: { type: "object", properties: { id: { type: "string" } } },
      display: { running: "Paying {amount}" },
      concurrency: {
        rules: [{ when: "has(input.amount) && input.amount < 1.0", class: "WRITE_EXCLUSIVE", isDestructive: false }],
      },
      validate: [{ custom: "known" }],
      needs: { env: ["PATH"] },
      handler: { isolation: { memoryMb: 64, cpuSeconds: 1.5 } },
    }),
  ];
  const input = { tools, toolsets: [anthropicToolset(tools)], plan: { ...simplePlan, jsonLists: true, bundle: true } };
  const module = "src/generated/specs/pay.ts";
  let build: BuildToVerify;
  beforeAll(async () => {
    build = { ...input, sources: [], files: (await emitFiles(input)).value };
  });

  test("accepts the emitted files of tools", async () => {
    await verifyBuild(build, builtInPlugins, answerQuestions);
  });

  test.each([
    [module, "failClosed({})", "failClosed({ behavior: { isDestructive: false } })"],
    [module, "failClosed({})", "failClosed({ behavior: { requiresPermission: false } })"],
    [module, "failClosed({})", "failClosed({ limits: { timeoutSeconds: 600 } })"],
    ["src/generated/providers/anthropic.json", '"strict": false', '"strict": true'],
    ["src/generated/bundle.json", "has(input.amount) && input.amount < 1.0", "true"],
    [module, 'member(input, "amount") < 1', 'member(input, "amount") < 2'],
    [module, "hasMember(input", "!hasMember(input"],
    [module, 'class: "WRITE_EXCLUSIVE"', 'class: "READ_ONLY"'],
    [module, "additionalProperties: false", "additionalProperties: true"],
    [module, '{ const: "constructor" }', "{ const: 1 }"],
    [module, 'running: "Paying {amount}"', 'running: "Paying"'],
    [module, "export const paySpec", "export const paySpec ="],
    [module, "{ anthropic }", "{ anthropic: failClosed }"],
    ["src/generated/providers/anthropic.ts", "  anthropic(specs.payListing()),\n", ""],
    ["src/generated/providers/anthropic.ts", "anthropic(specs.payListing", "mcp(specs.payListing"],
    ["src/generated/registry.ts", "unlocked: false", "unlocked: true"],
    ["src/generated/registry.ts", 'flow: "note"', 'flow: "off"'],
    ["src/generated/registry.ts", "pay: () =>", "pays: () =>"],
    [module, "isolation: { memoryMb: 64", "isolation: { memoryMb: 640"],
    ["src/generated/registry.ts", "memoryMb: 64", "memoryMb: 640"],
    ["src/generated/registry.ts", "timeoutSeconds: 60", 'timeoutSeconds: "unlimited"'],
    ["src/generated/registry.ts", 'env: ["PATH"],', 'env: ["PATH", "HOME"],'],
    ["src/generated/registry.ts", "isolate({", "isolated({"],
    ["src/generated/registry.ts", "? __filename", '? "/src/generated/registry.js"'],
    ["src/generated/registry.ts", 'import("./location.js")', 'import("./policy.js")'],
    ["src/generated/location.ts", "import.meta.url", '"file:///"'],
    ["src/generated/registry.ts", '"@hasp/handlers/isolation/v1"', '"@hasp/runtime"'],
    ["src/generated/registry.ts", 'path: "../tools/pay.js"', 'path: "../tools/pays.js"'],
    [module, "listTool({", 'listTool({\n  title: "x",'],
  ])("refuses %s with %j as %j", async (path, from, to) => {
    await expect(verifyWith(build, path, from, to)).rejects.toThrow(/hasp generated .* incorrectly/u);
  });

  test("names the file and the place of a difference", async () => {
    await expect(verifyWith(build, module, "({})", "({ limits: { timeoutSeconds: 600 } })")).rejects.toThrow(
      "hasp generated src/generated/registry.ts incorrectly: the binding of pay, or its spec in src/generated/specs/index.ts, differs from the model at /spec/metadata/limits/timeoutSeconds.",
    );
  });
});

describe("the modules of handlers and connections", () => {
  const oauth2 = { flow: "deviceCode", tokenUrl: "https://id.example.com/token", clientId: "agent", scopes: ["read"] };
  const plan = completePlan({
    dialects: ["mcp"],
    unlocked: true,
    context: { file: "src/context.ts", type: "Context" },
    connections: {
      api: {
        http: {
          baseUrl: "https://api.example.com/v1",
          auth: [{ bearer: { env: "TOKEN" } }, { apiKey: { in: "query", name: "key", context: "key" } }],
          allowedHosts: ["files.example.com"],
          timeoutSeconds: 5,
        },
      },
      other: { http: { baseUrl: "https://other.example.com" } },
      person: { http: { baseUrl: "https://api.example.com", auth: { oauth2 } } },
      local: { http: { baseUrl: "http://127.0.0.1:3000", auth: { oauth2 }, allowPrivateAddresses: true } },
      db: { sql: { context: "db" } },
      pool: { sql: { url: { env: "DATABASE_URL" } } },
      server: { mcp: { command: ["server", "--safe"], env: ["HOME_OF_SERVER"] } },
      remote: { mcp: { url: "https://mcp.example.com/mcp", auth: { bearer: { env: "TOKEN" } } } },
      near: { mcp: { url: "http://127.0.0.1:3000/mcp", allowPrivateAddresses: true } },
      client: { mcp: { context: "client" } },
    },
  });
  const properties: JsonObject = {
    id: { type: "string" },
    limit: { type: "integer", minimum: 1 },
    page: { type: "integer", default: 1 },
    order: { type: "object", properties: { note: { type: "string" } } },
    "odd name": { type: "string" },
  };
  const HANDLERS: { readonly [tool: string]: JsonObject } = {
    over_http: {
      http: {
        connection: "api",
        method: "POST",
        path: "/a/{account}/{id}",
        query: { limit: "input.limit", fixed: "yes" },
        headers: { "X-Odd": "input.odd name" },
        body: { json: { note: "input.order.note", text: { literal: "input.id" } }, mediaType: "application/x+json" },
        result: "/items",
      },
    },
    over_sql: { sql: { connection: "db", statement: "UPDATE a SET b = $limit WHERE id = $id AND c = $account" } },
    by_command: { command: { argv: ["git", "log", "--max-count={limit}", "--", "{id}"], cwd: "context.account" } },
    with_default: { command: { argv: ["git", "log", "--skip={page}", "--", "{id}"] } },
    over_mcp: { mcp: { connection: "server", tool: "create" } },
  };

  let build: BuildToVerify;
  beforeAll(async () => {
    const specs = Object.entries(HANDLERS).map(([name, handler]) => ({
      hasp: 1,
      name,
      description: "Works.",
      input: { type: "object", required: ["id"], properties },
      handler,
      ...("command" in handler ? {} : { bind: { account: "context.account" } }),
    }));
    const sources = specs.map((spec) => ({
      uri: `${spec.name}.tool.yaml`,
      role: "spec" as const,
      text: JSON.stringify(spec),
    }));
    const result = await compile(sources, plan);
    expect(result.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    build = { ...result, plan, sources };
  });

  test("accepts the emitted modules of handlers and connections", async () => {
    await verifyBuild(build, builtInPlugins, answerQuestions);
  });

  test.each([
    ["over_http", '"POST"', '"PUT"'],
    ["over_http", "account: context.account", "account: context.user"],
    ["over_http", "account: context.account", "account: input.id"],
    ["over_http", "id: input.id }", "id: input.limit }"],
    ["over_http", 'fixed: "yes"', "fixed: input.id"],
    ["over_http", 'text: "input.id"', "text: input.id"],
    ["over_http", "input.order?.note", "input.order"],
    ["over_http", 'input["odd name"]', 'input["even name"]'],
    ["over_http", 'result: "/items"', 'result: "/"'],
    ["over_http", "application/x+json", "application/json"],
    ["over_http", "apiConnection,", "otherConnection,"],
    ["over_http", "@hasp/handlers/http/v1", "@hasp/handlers/isolation/v1"],
    ["over_sql", "context.account", "input.id"],
    ["over_sql", "$3", "$1"],
    ["over_sql", "text:", "readOnly: true,\n  text:"],
    ["over_sql", "timeoutSeconds: 60", "timeoutSeconds: 6000"],
    ["over_http", "method:", 'idempotencyHeader: "X-Trace",\n  method:'],
    ["over_mcp", "tool:", "unknown: true,\n  tool:"],
    ["by_command", '"log"', '"push"'],
    ["by_command", "argument(input.id)", "argument(input.limit)"],
    ["by_command", "argument(input.id)", "input.id"],
    ["by_command", '"--",', ""],
    ["by_command", "context.account", "input.id"],
    ["over_mcp", '"create"', '"delete"'],
    ["over_mcp", "account: context.account", "account: input.id"],
    ["over_mcp", "...input,", ""],
  ])("refuses %s with %s as %s", async (tool, before, after) => {
    const path = `src/generated/handlers/${tool.replace("_", "-")}.ts`;
    await expect(verifyWith(build, path, before, after)).rejects.toThrow(/^hasp generated .* incorrectly/u);
  });

  test.each([
    ["api", "https://api.example.com/v1", "https://evil.example.com/v1"],
    ["api", '"TOKEN"', '"OTHER"'],
    ["api", 'in: "query"', 'in: "header"'],
    ["api", 'context: "key"', 'env: "key"'],
    ["api", '"files.example.com"', '"*.example.com"'],
    ["api", "timeoutSeconds: 5", "timeoutSeconds: 50"],
    ["api", "timeoutSeconds: 5", "timeoutSeconds: 5,\n  allowPrivateAddresses: true"],
    ["api", "@hasp/handlers/http/v1", "@hasp/handlers/isolation/v1"],
    ["person", "https://id.example.com/token", "https://id.example.org/token"],
    ["person", '"agent"', '"other"'],
    ["person", "store: tokenStore()", "store: undefined"],
    ["person", "store: tokenStore()", "allowPrivateAddresses: true,\n    store: tokenStore()"],
    ["db", "context.db", "context.other"],
    ["pool", '"DATABASE_URL"', '"OTHER_URL"'],
    ["server", '"--safe"', '"--unsafe"'],
    ["server", '"HOME_OF_SERVER"', '"HOME_OF_SERVER", "AWS_SECRET_ACCESS_KEY"'],
    ["remote", "https://mcp.example.com/mcp", "http://mcp.example.com/mcp"],
    ["remote", "fetch: publicFetch(),", ""],
    ["client", "context.client", "context.db"],
  ])("refuses %s with %s as %s", async (connection, before, after) => {
    const path = `src/generated/connections/${connection}.ts`;
    await expect(verifyWith(build, path, before, after)).rejects.toThrow(/^hasp generated .* incorrectly/u);
  });
});

describe("a condition that no tried input makes true, or none false", () => {
  const properties: JsonObject = {
    text: { type: "string", maxLength: 5 },
    flag: { type: "boolean" },
    count: { type: "integer" },
  };
  const plan = completePlan({
    dialects: ["mcp"],
    unlocked: true,
    toolsets: [{ name: "support", include: "all", exclude: [], policy: "support.yaml" }],
  });

  /** Builds a tool and a policy, verifies both, and returns what could not be verified. */
  async function findUnverified(spec: JsonObject, policy: JsonObject = {}): Promise<readonly string[]> {
    const sources = [
      {
        uri: "act.tool.yaml",
        role: "spec" as const,
        text: JSON.stringify({
          hasp: 1,
          name: "act",
          description: "Acts.",
          input: { type: "object", required: ["text", "flag", "count"], properties },
          ...spec,
        }),
      },
      { uri: "support.yaml", role: "policy" as const, text: JSON.stringify({ hasp: 1, ...policy }) },
    ];
    const result = await compile(sources, plan);
    expect(result.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    const found = await verifyBuild({ ...result, plan, sources }, builtInPlugins, answerQuestions);
    return found.map(
      ({ code, location, message }) => `${code} ${location?.uri} ${location?.pointer} ${message.split(" ").at(-1)}`,
    );
  }

  const rule = (when: string): JsonObject => ({ concurrency: { rules: [{ when, class: "READ_ONLY" }] } });
  // Nobody finds a square root by trying what stands in the condition.
  const root = "input.count * input.count % 7919 == 5";
  const hidden = "input.text.matches('^z[qx]z$') && size(input.text + input.text) == 6 && !(input.text in ['zqz'])";

  test.each<[what: string, spec: JsonObject, expected: readonly string[]]>([
    ["a row", rule("size(input.text) > 5"), ["emit/not-verified act.tool.yaml /concurrency/rules/0/when true."]],
    [
      "a flag",
      { behavior: { isDestructive: { unless: "size(input.text) > 5" } } },
      ["emit/not-verified act.tool.yaml /behavior/isDestructive/unless true."],
    ],
    [
      "a check",
      { validate: [{ that: "size(input.text) < 6", message: "m" }] },
      ["emit/not-verified act.tool.yaml /validate/0/that false."],
    ],
    ["nothing where both answers are tried", rule(hidden), []],
    ["nothing that is proved to have one answer", { validate: [{ that: "input.flag || true", message: "m" }] }, []],
  ])("is reported at its place: %s", async (_what, spec, expected) => {
    expect(await findUnverified(spec)).toEqual(expected);
  });

  test("is not reported if a test of the spec tries it", async () => {
    const of = (tests: JsonObject): Promise<readonly string[]> => findUnverified({ ...rule(root), ...tests });
    expect(await of({})).toEqual(["emit/not-verified act.tool.yaml /concurrency/rules/0/when true."]);
    const tests = [{ input: { text: "a", flag: true, count: 1782 }, expect: { class: "READ_ONLY" } }];
    expect(await of({ tests })).toEqual([]);
  });

  test("is reported in a policy, whose tests try it, too", async () => {
    const rules = [{ tool: "act", when: root, decision: "deny" }];
    expect(await findUnverified({}, { rules })).toEqual(["emit/not-verified support.yaml /rules/0/when true."]);
    const tests = [{ tool: "act", input: { text: "a", flag: true, count: 1782 }, expect: "deny" }];
    expect(await findUnverified({}, { rules, tests })).toEqual([]);
  });
});
