import { beforeAll, describe, expect, test } from "vitest";
import { compile, type CompileResult } from "../../compile.js";
import { completePlan } from "../../config/complete-plan.js";
import { prepare } from "./prepare.js";
import { proveConnections } from "./prove-connections.js";

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

let result: CompileResult;
beforeAll(async () => {
  const spec = { hasp: 1, name: "a", description: "Works.", input: { type: "object", properties: {} } };
  result = await compile([{ uri: "a.tool.yaml", role: "spec", text: JSON.stringify(spec) }], plan);
  expect(result.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
});

/** Proves all connections with one text in place of another in the module of one. */
function proveWith(connection: string, before: string, after: string): void {
  const path = `src/generated/connections/${connection}.ts`;
  expect(result.files.find((file) => file.path === path)?.text).toContain(before);
  const files = result.files.map((file) =>
    file.path === path ? { ...file, text: file.text.replace(before, after) } : file,
  );
  proveConnections(prepare({ ...result, plan }).build, files);
}

describe("the module of a connection", () => {
  test.each(Object.keys(plan.connections ?? {}))("%s is proved as it was written", (connection) => {
    expect(() => proveWith(connection, "export", "export")).not.toThrow();
  });

  test.each([
    ["api", "https://api.example.com/v1", "https://evil.example.com/v1"],
    ["api", '"TOKEN"', '"OTHER"'],
    ["api", 'in: "query"', 'in: "header"'],
    ["api", 'context: "key"', 'env: "key"'],
    ["api", '"files.example.com"', '"*.example.com"'],
    ["api", "timeoutSeconds: 5", "timeoutSeconds: 50"],
    ["api", "timeoutSeconds: 5", "timeoutSeconds: 5,\n  allowPrivateAddresses: true"],
    ["api", "@hasp/runtime/http", "@hasp/runtime/node"],
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
  ])("%s is refused with %s → %s", (connection, before, after) => {
    expect(() => proveWith(connection, before, after)).toThrow(/^hasp generated .* incorrectly/u);
  });
});
