import { describe, expect, test } from "vitest";
import { completePlan, type Connections } from "@hasp/compiler/model";
import { flatTools } from "../../../../test/compiler/flat-tools.testing.js";
import { spec } from "@hasp/compiler/plugin";
import { runModules } from "@hasp/project/emitted";
import { builtInPlugins } from "@hasp/project/built-in";
import { loadEmittedTools, runSpecTests } from "@hasp/builtin/tests";

const connections: Connections = {
  shop: { http: { baseUrl: "https://shop.example.com/v2", auth: { bearer: { env: "NOT_SET" } } } },
  db: { sql: { url: { env: "NOT_SET" } } },
  files: { mcp: { command: ["never-started"], env: ["NOT_SET"] } },
};

const INPUT = spec`
  name: orders
  description: List orders.
  input:
    type: object
    properties: { status: { type: string }, limit: { type: integer, default: 10 } }
  needs: { env: [NOT_SET] }
  visibility: deferred
`;

async function run(text: string): Promise<readonly string[]> {
  const { tools, documents, diagnostics } = flatTools(
    [{ uri: "orders.tool.yaml", text, role: "spec" }],
    builtInPlugins,
  );
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  const plan = completePlan({ dialects: [], toolsets: [], today: "2026-01-01", connections });
  await builtInPlugins.handlerKinds.load(documents, plan);
  const { value: emitted } = await loadEmittedTools(
    { tools, toolsets: [], plan },
    { plugins: builtInPlugins, runModules },
  );
  const results = await runSpecTests(tools, { emitted });
  return results.map(({ status, problems }) =>
    [status, ...problems.map(({ message, location }) => `${location.pointer}: ${message}`)].join("\n"),
  );
}

const SQL = `${INPUT}handler:
  sql: { connection: db, statement: "SELECT id FROM orders WHERE customer = $customer AND status = $status LIMIT $limit" }
bind: { customer: context.customer }
`;
const COMMAND = `${INPUT}handler:
  command: { argv: [list, "--max={limit}", --, "{status}"], cwd: context.folder, stdout: json }
`;
const HTTP = `${INPUT}handler:
  http: { connection: shop, method: POST, path: "/customers/{customer}/orders", query: [limit], headers: { X-Trace: input.status }, body: { json: { status: input.status } }, result: /items }
bind: { customer: context.customer }
`;
const MCP = `${INPUT}handler:
  mcp: { connection: files, tool: list_orders }
bind: { customer: context.customer }
`;
const EXTERNAL = `${INPUT}handler: external
output: { type: [string, "null"] }
`;

describe("tests with stated answers run the generated handler", () => {
  test.each([
    [
      "sql",
      `${SQL}tests:
  - input: { status: new }
    context: { customer: 7 }
    respond: { rows: [{ id: 1 }] }
    expect:
      output: { rows: [{ id: 1 }], rowCount: 1 }
      request: { text: "SELECT id FROM orders WHERE customer = $1 AND status = $2 LIMIT $3", values: [7, new, 10] }
      class: UNSAFE
  - { input: {}, context: { customer: 7 }, respond: { rows: [] }, expect: { request: { values: [7, null, 10] } } }
  - { input: {}, context: { customer: 7 }, respond: { error: { code: "42P01", message: no such table } }, expect: { error: no such table } }
`,
      3,
    ],
    [
      "http",
      `${HTTP}tests:
  - input: { status: new }
    context: { customer: a/b }
    respond: { body: { items: [{ id: 1 }] } }
    expect:
      output: [{ id: 1 }]
      request: { method: POST, path: /customers/a%2Fb/orders, query: { limit: "10" }, headers: { X-Trace: new }, body: { status: new } }
  - { input: {}, context: { customer: c }, respond: { status: 404, body: { message: no such customer } }, expect: { error: no such customer } }
  - { input: {}, context: { customer: c }, respond: { headers: { content-type: text/plain }, body: plain }, expect: { output: plain } }
`,
      3,
    ],
    [
      "command",
      `${COMMAND}tests:
  - input: { status: "--all; rm" }
    context: { folder: /work }
    respond: { stdout: '[{ "id": 1 }]' }
    expect: { output: [{ id: 1 }], request: { argv: [list, --max=10, --, "--all; rm"], cwd: /work } }
  - { input: { status: x }, context: { folder: /work }, respond: { exitCode: 2, stderr: out of paper }, expect: { error: out of paper } }
  - { input: { status: x }, context: { folder: /work }, respond: { stdout: "{" }, expect: { error: valid JSON } }
`,
      3,
    ],
    [
      "mcp",
      `${MCP}tests:
  - input: { status: new }
    context: { customer: 7 }
    respond: { content: [{ type: text, text: two }], structuredContent: { count: 2 } }
    expect: { output: { count: 2 }, request: { tool: list_orders, arguments: { status: new, limit: 10, customer: 7 } } }
  - { input: {}, context: { customer: 7 }, respond: { content: [{ type: text, text: plain }] }, expect: { output: plain } }
  - { input: {}, context: { customer: 7 }, respond: { isError: true, content: [{ type: text, text: closed }] }, expect: { error: closed } }
`,
      3,
    ],
    [
      "external",
      `${EXTERNAL}tests:
  - { input: { status: new }, respond: { output: two }, expect: { output: two, request: { input: { status: new, limit: 10 } } } }
  - { input: {}, respond: { error: closed }, expect: { error: closed } }
  - { input: {}, respond: { output: 2 }, expect: { error: cannot be } }
  - { input: {}, respond: { output: null }, expect: { output: null } }
`,
      4,
    ],
  ])("a test of %s needs no network, secret or process", async (_kind, text, count) => {
    expect(await run(text)).toEqual(Array(count).fill("passed"));
  });

  test("reports an unexpected value at its place", async () => {
    expect(
      await run(`${SQL}tests:
  - input: { status: new }
    context: { customer: 7 }
    respond: { rows: [{ id: 1 }] }
    expect: { output: { rows: [], rowCount: 0 }, request: { values: [8, new, 10] } }
  - { input: {}, context: { customer: 7 }, respond: { rows: [] }, expect: { error: gone } }
  - { input: {}, context: { customer: 7 }, respond: { error: { message: gone } }, expect: { output: 1 } }
  - { input: {}, context: { customer: 7 }, respond: { error: { message: gone } }, expect: { error: there } }
  - { input: {}, context: { customer: 7 }, respond: { rows: [] }, expect: { class: READ_ONLY } }
  - { input: {}, context: { customer: 7 }, expect: { output: 1 } }
  - { input: {}, respond: { rows: [] }, expect: { output: 1 } }
`),
    ).toMatchInlineSnapshot(`
      [
        "failed
      /tests/0/expect/request/values: values is [7,"new",10], not [8,"new",10].
      /tests/0/expect/output: The output is {"rows":[{"id":1}],"rowCount":1}, not {"rows":[],"rowCount":0}.",
        "failed
      /tests/1/expect/error: The call succeeds with {"rows":[],"rowCount":0}.",
        "failed
      /tests/2/expect/output: The call fails: orders failed: gone (XX000)",
        "failed
      /tests/3/expect/error: The error is: orders failed: gone (XX000)",
        "failed
      /tests/4/expect/class: class is UNSAFE, not READ_ONLY.",
        "failed
      /tests/5/expect/output: The handler does not run, because the test states no answer for it. Add "respond".",
        "failed
      /tests/6/expect/output: The call fails: orders needs customer in the context, which the host did not provide. Continue without it.",
      ]
    `);
  });

  test("a handler of one's own is not run", async () => {
    expect(await run(`${INPUT}tests:\n  - { input: {}, respond: { rows: [] }, expect: { output: 1 } }\n`)).toEqual([
      "failed\n/tests/0/respond: The handler is your own code, which `hasp test` does not run; only a handler that the spec declares can be tested that way. Record a call, and name its `tape`.",
    ]);
  });
});
