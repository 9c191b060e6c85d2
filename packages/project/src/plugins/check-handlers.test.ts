import type { JsonObject } from "@hasp/schema";
import { describe, expect, test } from "vitest";
import { compile, type PlanInput } from "@hasp/compiler";
import { joinPlugins } from "@hasp/compiler/plugins";
import { withoutRules } from "./built-in.js";

const PLAN: PlanInput = {
  context: { file: "src/context.ts", type: "AgentContext" },
  contextMembers: ["customerId", "workspace", "db"],
  connections: {
    "orders-api": { http: { baseUrl: "https://api.example.com" } },
    "app-db": { sql: { context: "db" } },
    github: { mcp: { command: ["server"] } },
  },
};

function connected(connections: NonNullable<PlanInput["connections"]>): PlanInput {
  const start = { line: 1, column: 1, offset: 0 };
  const place = (pointer: string) => ({ uri: "hasp.config.yaml", pointer, range: { start, end: start } });
  const locations = Object.keys(connections).map((name) => `/connections/${name}`);
  return { ...PLAN, connections, locations: Object.fromEntries(locations.map((each) => [each, place(each)])) };
}

const UNUSED = "handler/unused-connection";

const properties: JsonObject = {
  id: { type: "string", minLength: 1 },
  limit: { type: "integer", minimum: 1 },
  tags: { type: "array", items: { type: "string", pattern: "^[a-z]" } },
  order: { type: "object", properties: { total: { type: "number" } }, required: ["total"] },
};

/** Returns the codes of the handler's findings with their pointers. */
async function findings(
  handler: JsonObject | undefined,
  more: JsonObject = {},
  plan: PlanInput = PLAN,
): Promise<readonly string[]> {
  const input = { type: "object", properties, required: ["id"] };
  const spec = { hasp: 1, name: "a", description: "Work.", input, ...(handler && { handler }), ...more };
  const source = { uri: "a.tool.yaml", role: "spec", text: JSON.stringify(spec) } as const;
  const { diagnostics } = await compile([source], plan, { plugins: joinPlugins(withoutRules), emits: false });
  const severe = diagnostics.filter(({ code, severity }) => severity === "error" || code.startsWith("handler/"));
  // No single tool uses all connections that these tests share.
  const expected = plan.connections === PLAN.connections ? severe.filter(({ code }) => code !== UNUSED) : severe;
  return expected.map(({ code, location }) => `${code} ${location?.pointer ?? ""}`);
}

const http = (more: JsonObject = {}): JsonObject => ({
  http: {
    connection: "orders-api",
    method: "POST",
    path: "/a/{id}",
    query: ["limit", "tags"],
    body: { json: "input.order" },
    ...more,
  },
});
const command = (...argv: readonly string[]): JsonObject => ({ command: { argv } });
const only = (...names: readonly string[]): JsonObject => ({
  input: {
    type: "object",
    properties: Object.fromEntries(names.map((name) => [name, properties[name] ?? null])),
    required: names,
  },
});

describe("a declared handler", () => {
  test.each<readonly [string, JsonObject | undefined, JsonObject, readonly string[]]>([
    ["is right", http(), {}, []],
    [
      "names a connection",
      http({ connection: "order-api" }),
      {},
      ["handler/unknown-connection /handler/http/connection"],
    ],
    [
      "names one of its kind",
      http({ connection: "app-db" }),
      {},
      ["handler/wrong-connection /handler/http/connection"],
    ],
    [
      "takes values of the input",
      http({ query: ["limit", "tag"] }),
      {
        input: {
          type: "object",
          required: ["id"],
          properties: {
            id: properties["id"] ?? null,
            limit: properties["limit"] ?? null,
            order: properties["order"] ?? null,
          },
        },
      },
      ["handler/unknown-input /handler/http/query/1"],
    ],
    [
      "takes values deep in the input",
      http({ body: { json: { sum: "input.order.totl" } } }),
      {},
      ["handler/unknown-input /handler/http/body/json/sum"],
    ],
    [
      "takes members of the context",
      http({ headers: { "X-User": "context.customer" } }),
      {},
      ["handler/unknown-context /handler/http/headers/X-User"],
    ],
    [
      "uses what is bound",
      http(),
      { bind: { customer: "context.customerId" } },
      ["handler/unused-bind /bind/customer"],
    ],
    [
      "binds members of the context",
      http({ headers: { "X-User": "input.user" } }),
      { bind: { user: "context.user" } },
      ["handler/unknown-context /bind/user"],
    ],
    ["has no functions", http(), { validate: [{ custom: "isKnown" }] }, ["handler/custom-function /handler"]],
    [
      "is needed for bind",
      undefined,
      { bind: { id: "context.customerId" } },
      ["handler/bind-without-declaration /bind"],
    ],
    [
      "is tested with answers of its kind",
      http(),
      { tests: [{ input: { id: "a" }, respond: { rows: [] }, expect: { request: { argv: [] } } }] },
      ["handler/answer-of-kind /tests/0/respond/rows", "handler/answer-of-kind /tests/0/expect/request/argv"],
    ],
    ["checks an output", http(), { outputCheck: "report" }, ["handler/nothing-to-check /outputCheck"]],
    [
      "checks an output even of the user's own",
      undefined,
      { outputCheck: "off" },
      ["handler/nothing-to-check /outputCheck"],
    ],
    ["uses its input", http({ query: ["limit"] }), {}, ["handler/unused-input /input/properties/tags"]],
  ])("checks that a handler %s", async (_what, handler, more, expected) => {
    expect(await findings(handler, more)).toEqual(expected);
  });

  test.each([
    ["http://127.0.0.1:9", "private-address"],
    ["http://2130706433", "private-address"],
    ["http://[::ffff:10.0.0.1]/a", "private-address"],
    ["https://db.localhost", "private-address"],
    ["https://localhost.", "private-address"],
    ["http://999.1.1.1", "base-url"],
  ])("reports the address %s", async (url, code) => {
    const connections = {
      "orders-api": { http: { baseUrl: url } },
      remote: { mcp: { url } },
    };
    expect(await findings(http(), {}, connected(connections))).toEqual([
      `handler/${code} /connections/orders-api`,
      `handler/${code} /connections/remote`,
      "handler/unused-connection /connections/remote",
    ]);
    const allowed = { http: { baseUrl: url, allowPrivateAddresses: true } };
    const { length } = await findings(http(), {}, connected({ "orders-api": allowed }));
    expect(length).toBe(code === "base-url" ? 1 : 0);
  });

  test("lists only variables that the command sees", async () => {
    const handler = { command: { argv: ["show", "{id}"], publicEnv: ["LANG", "TZ"] } };
    expect(await findings(handler, { needs: { env: ["LANG"] } })).toContain(
      "handler/public-not-needed /handler/command/publicEnv/1",
    );
  });

  test("reports an OAuth server at a private address unless it is allowed", async () => {
    const oauth2 = {
      flow: "clientCredentials",
      clientId: "a",
      clientSecret: { env: "A" },
      tokenUrl: "https://10.0.0.5/token",
    };
    const settings = { baseUrl: "https://api.example.com", auth: [{ bearer: { env: "B" } }, { oauth2 }] };
    const found = async (more: object) =>
      findings(http(), {}, connected({ "orders-api": { http: { ...settings, ...more } } }));
    expect(await found({})).toEqual(["handler/private-address /connections/orders-api"]);
    expect(await found({ allowPrivateAddresses: true })).toEqual([]);
  });

  test("reports an API key that an MCP server would not read", async () => {
    const key = (place: string) => ({ apiKey: { in: place, name: "key", env: "KEY" } });
    const server = (place: string) => ({
      mcp: { url: "https://mcp.example.com/mcp", auth: [key("header"), key(place)] },
    });
    const handler = { mcp: { connection: "remote", tool: "a" } };
    expect(await findings(handler, {}, connected({ remote: server("query") }))).toEqual([
      "handler/key-of-server /connections/remote",
    ]);
    expect(await findings(handler, {}, connected({ remote: server("header") }))).toEqual([]);
  });

  test("requires the packages of a connection", async () => {
    const oauth2 = {
      flow: "clientCredentials",
      tokenUrl: "https://a.example/t",
      clientId: "a",
      clientSecret: { env: "S" },
    };
    const plan = {
      ...connected({
        "orders-api": { http: { baseUrl: "https://api.example.com", auth: { oauth2 } } },
        own: { mcp: { context: "db" } },
        pool: { sql: { url: { env: "DATABASE_URL" } } },
        remote: { mcp: { url: "https://mcp.example.com/mcp" } },
      }),
      missingPeers: [
        "@hasp/handlers/http/v1",
        "@hasp/handlers/oauth/v1",
        "@modelcontextprotocol/client",
        "oauth4webapi",
        "pg",
      ],
    };
    const found = await findings(http(), {}, plan);
    expect(found.filter((each) => !each.startsWith(UNUSED))).toEqual([
      // One for each package: its entry points come with it.
      "handler/missing-package /connections/orders-api",
      "handler/missing-package /connections/orders-api",
      "handler/missing-package /connections/pool",
      "handler/missing-package /connections/remote",
      "handler/missing-package /connections/remote",
    ]);
  });

  test("reports unused connections unless user code may use them", async () => {
    const both = { ...PLAN.connections, "orders-api": { http: { baseUrl: "https://api.example.com" } } };
    const unused = ["handler/unused-connection /connections/app-db", "handler/unused-connection /connections/github"];
    expect(await findings(http(), {}, connected(both))).toEqual(unused);
    expect(await findings(undefined, {}, connected(both))).toEqual([]);
  });

  test("requires the type of the context", async () => {
    const { context: _context, contextMembers: _members, ...plan } = PLAN;
    expect(await findings(http({ cookies: { user: "context.user" } }), {}, plan)).toEqual([
      "handler/no-context /handler/http/cookies/user",
    ]);
  });
});

describe("a request", () => {
  test.each<readonly [string, JsonObject, readonly string[]]>([
    [
      "has every value of its path",
      { path: "/a/{limit}/{id}", query: ["tags"] },
      ["handler/path-may-be-absent /handler/http/path"],
    ],
    [
      "has no field that replaces its method",
      { body: { form: { _Method: { literal: "DELETE" }, order: "input.order" } } },
      ["handler/method-in-body /handler/http/body/form/_Method"],
    ],
    [
      "has texts in its path",
      { path: "/a/{id}/{tags}", query: ["limit"] },
      ["handler/path-may-be-absent /handler/http/path", "handler/path-takes-text /handler/http/path"],
    ],
    ["has a path that leads nowhere else", { path: "/a/../{id}" }, ["handler/path-form /handler/http/path"]],
    ["has a path whose braces match", { path: "/a/{id}/{{b}" }, ["handler/unknown-input /handler/http/path"]],
    [
      "sets its own headers only",
      { headers: { Host: "a", Expect: "b", "a b": "c", "X-A": "a\nb" } },
      [
        "handler/header-name /handler/http/headers/Host",
        "handler/header-name /handler/http/headers/Expect",
        "handler/header-name /handler/http/headers/a b",
        "handler/header-value /handler/http/headers/X-A",
      ],
    ],
    ["has a body where the method has one", { method: "GET" }, ["handler/body-of-method /handler/http/body"]],
    [
      "has a form of named values",
      { body: { form: ["input.order"] } },
      ["handler/body-not-object /handler/http/body/form"],
    ],
    [
      "encodes parts of forms",
      { body: { json: "input.order", encoding: { a: { style: "form" } } } },
      ["handler/encoding-of-body /handler/http/body/encoding"],
    ],
    [
      "styles its own values",
      { parameters: { query: { limits: { style: "form" } } } },
      ["handler/unknown-parameter /handler/http/parameters/query/limits"],
    ],
    [
      "has the styles of the place",
      { parameters: { query: { limit: { style: "matrix" } } } },
      ["handler/style-of-place /handler/http/parameters/query/limit/style"],
    ],
  ])("checks that a request %s", async (_what, more, expected) => {
    expect(await findings(http(more))).toEqual(expected);
  });
});

describe("a command", () => {
  test.each<readonly [string, readonly string[], JsonObject, readonly string[]]>([
    [
      "takes whole values",
      ["git", "log", "--max-count={limit}", "--", "{id}", "{tags}"],
      only("limit", "id", "tags"),
      [],
    ],
    ["has a fixed program", ["{id}"], only("id"), ["handler/program-from-value /handler/command/argv/0"]],
    [
      "has a fixed program behind others",
      ["sudo", "-u", "app", "env", "A=1", "{id}"],
      only("id"),
      ["handler/may-be-option /handler/command/argv/5", "handler/program-from-value /handler/command/argv/5"],
    ],
    [
      "takes no options from models behind the separator of another program",
      ["env", "--", "git", "log", "{id}"],
      only("id"),
      ["handler/may-be-option /handler/command/argv/4"],
    ],
    [
      "takes no program from a list",
      ["timeout", "{tags}", "5", "ls"],
      only("tags"),
      ["handler/program-from-value /handler/command/argv/1"],
    ],
    ["waits for a number", ["timeout", "{limit}", "ls"], only("limit"), []],
    ["is no shell", ["env", "bash", "-lc", "ls {id}"], only("id"), ["handler/shell /handler/command/argv/1"]],
    [
      "runs no text with values",
      ["python3", "-c", "print('{id}')"],
      only("id"),
      ["handler/program-text /handler/command/argv/2"],
    ],
    [
      "runs no text with values behind another option",
      ["ruby", "-r", "json", "-e", "puts '{id}'"],
      only("id"),
      ["handler/program-text /handler/command/argv/4"],
    ],
    [
      "gives awk and sed no program from a call",
      ["sed", "-n", "{id}", "notes.txt"],
      only("id"),
      ["handler/may-be-option /handler/command/argv/2", "handler/program-text /handler/command/argv/2"],
    ],
    ...(
      [
        [["flock", "-c", "ls {id}", "lock"], "shell", 0],
        [["su", "app", "-c", "ls {id}"], "shell", 0],
        [["nohup", "runuser", "-u", "app", "--command=ls {id}"], "shell", 1],
        [["sudo", "-s", "ls", "a{id}"], "shell", 0],
        [["watch", "-n", "1", "ls", "a{id}"], "program-text", 4],
        [["ssh", "-p", "22", "host", "ls", "a{id}"], "program-text", 5],
        [["timeout", "5", "ssh", "host", "ls", "--color=a{id}"], "program-text", 5],
        [["env", "--split-string=ls {id}"], "program-text", 1],
        [["parallel", "ls", "a{id}"], "program-text", 2],
        [["find", ".", "-exec", "a{id}", ";"], "program-text", 3],
        [["node", "--eval=f({id})"], "program-text", 1],
        [["psql", "-c", "SELECT '{id}'"], "program-text", 2],
        [["sqlite3", "a.db", "SELECT '{id}'"], "program-text", 2],
      ] as const
    ).map(
      ([argv, fault, at]) =>
        [
          `gives no text to ${argv.join(" ")}`,
          argv,
          only("id"),
          [`handler/${fault} /handler/command/argv/${at}`],
        ] as const,
    ),
    [
      "has no program inside a text that env divides",
      ["env", "-S", "ls {id}"],
      only("id"),
      ["handler/program-from-value /handler/command/argv/2", "handler/program-text /handler/command/argv/2"],
    ],
    ["starts programs without a shell", ["ssh", "-l", "x", "a{id}"], only("id"), []],
    ["starts programs of its own", ["watch", "-x", "ls", "--", "a{id}"], only("id"), []],
    [
      "takes values as arguments",
      ["ls", "--", "a{tags}", "{order}"],
      only("tags", "order"),
      ["handler/not-an-argument /handler/command/argv/2", "handler/not-an-argument /handler/command/argv/3"],
    ],
    [
      "takes no options from models",
      ["ls", "{limit}", "{tags}", "{id}", "--"],
      only("limit", "tags", "id"),
      ["handler/may-be-option /handler/command/argv/3"],
    ],
  ])("checks that a command %s", async (_what, argv, more, expected) => {
    expect(await findings(command(...argv), more)).toEqual(expected);
  });
});

test("reports faults of an SQL statement at their places", async () => {
  const sql = (statement: string): JsonObject => ({ sql: { connection: "app-db", statement } });
  expect(await findings(sql("SELECT 1 WHERE $id = '$x' LIMIT $limit"), only("id", "limit"))).toEqual([]);
  expect(await findings(sql("SELECT $id; SELECT 2"), only("id"))).toEqual([
    "handler/sql-statement /handler/sql/statement",
  ]);
  expect(await findings(sql("SELEC $id"), only("id"))).toEqual(["handler/sql-statement /handler/sql/statement"]);
});
