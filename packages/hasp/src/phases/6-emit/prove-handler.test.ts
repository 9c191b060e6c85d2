import type { JsonObject } from "@hasp/schema";
import { beforeAll, describe, expect, test } from "vitest";
import { compile, type CompileResult } from "../../compile.js";
import { completePlan } from "../../config/complete-plan.js";
import { readModule } from "../../typescript/read-module.js";
import { prepare } from "./prepare.js";
import { proveHandler } from "./prove-handler.js";

const plan = completePlan({
  dialects: ["mcp"],
  unlocked: true,
  context: { file: "src/context.ts", type: "Context" },
  connections: {
    api: { http: { baseUrl: "https://api.example.com" } },
    other: { http: { baseUrl: "https://other.example.com" } },
    db: { sql: { context: "db" } },
    server: { mcp: { command: ["server"] } },
  },
});
const properties: JsonObject = {
  id: { type: "string" },
  limit: { type: "integer", minimum: 1 },
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
  over_mcp: { mcp: { connection: "server", tool: "create" } },
};

let result: CompileResult;
beforeAll(async () => {
  const specs = Object.entries(HANDLERS).map(([name, handler]) => ({
    hasp: 1,
    name,
    description: "Works.",
    input: { type: "object", required: ["id"], properties },
    handler,
    ...(name === "by_command" ? {} : { bind: { account: "context.account" } }),
  }));
  result = await compile(
    specs.map((spec) => ({ uri: `${spec.name}.tool.yaml`, role: "spec", text: JSON.stringify(spec) })),
    plan,
    { emits: true },
  );
  expect(result.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
});

/** Proves the module of a tool's handler with one text in place of another. */
function proveWith(tool: string, before: string, after: string): void {
  const path = `src/generated/handlers/${tool.replace("_", "-")}.ts`;
  const text = result.files.find((file) => file.path === path)?.text ?? "";
  expect(text).toContain(before);
  const emitted = prepare({ ...result, plan }).tools.find((each) => each.tool.name === tool);
  if (emitted === undefined) throw new Error(tool);
  proveHandler(emitted, readModule({ path, text: text.replace(before, after) }));
}

describe("the module of a declared handler", () => {
  test.each(Object.keys(HANDLERS))("%s is proved as it was written", (tool) => {
    expect(() => proveWith(tool, "execute", "execute")).not.toThrow();
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
    ["over_http", "@hasp/runtime/http", "@hasp/runtime/node"],
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
  ])("%s is refused with %s → %s", (tool, before, after) => {
    expect(() => proveWith(tool, before, after)).toThrow(/^hasp generated .* incorrectly/u);
  });
});
