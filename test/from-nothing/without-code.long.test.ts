// From an empty folder to a called tool in four commands, without a line of code: for an API, an MCP server, a table and
// a command, each with the packed packages. The commands are those that `docs/tools-without-code.md` prints.
import { exec, execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { createDatabases } from "../ask-for.testing.js";
import { blocksOf, commandsOf } from "../guides/guide.js";
import { installPacked } from "./packed.testing.js";

/** The folder in which the packages are installed; each test has a folder below. */
const installed = mkdtempSync(join(tmpdir(), "hasp-without-code-"));
const bin = join(installed, "node_modules/hasp/bin/hasp.js");
const servers = resolve(import.meta.dirname, "../node_modules/.bin");
const { CI: _ci, FORCE_COLOR: _force, NO_COLOR: _no, HASP_CONFIG: _config, ...inherited } = process.env;
const inheritedPath = inherited["PATH"] ?? "";
const variables = {
  ...inherited,
  PATH: [servers, inheritedPath].join(delimiter),
  XDG_CACHE_HOME: join(installed, ".cache"),
};

beforeAll(() => installPacked(installed, ["@modelcontextprotocol/client", "pg"]), 120_000);
afterAll(() => rmSync(installed, { recursive: true, force: true }));

/** A new project with these files. */
function empty(files: Readonly<Record<string, string>> = {}): string {
  const folder = mkdtempSync(join(installed, "project-"));
  for (const [path, text] of Object.entries({ "package.json": '{ "type": "module" }', ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

/** Runs commands one after the other. Gives what the last one printed. */
async function run(
  folder: string,
  environment: Readonly<Record<string, string>>,
  ...commands: readonly (readonly string[])[]
): Promise<string> {
  let printed = "";
  for (const words of commands) {
    const done = await promisify(execFile)(process.execPath, [bin, ...words], {
      cwd: folder,
      env: { ...variables, ...environment },
    }).catch((error: { readonly stdout: string; readonly stderr: string }) => {
      throw new Error(`hasp ${words.join(" ")}\n${error.stdout}\n${error.stderr}`);
    });
    printed = done.stdout;
  }
  return printed;
}

test("an API is called without code", async () => {
  const seen: string[] = [];
  const server = createServer(({ url, headers }, response) => {
    seen.push(`${url} ${headers["x-api-key"]}`);
    response.setHeader("content-type", "application/json").end(JSON.stringify({ id: "7", items: ["tea"] }));
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const folder = empty({
    "shop.yaml": `openapi: 3.1.0
info: { title: Shop, version: "1" }
servers: [{ url: https://shop.example.com }]
security: [{ key: [] }]
paths:
  /orders/{id}:
    get:
      operationId: get_order
      description: Get one order by its number. Use it to see what was bought. Do not use it to search.
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses:
        "200":
          description: The order.
          content: { application/json: { schema: { type: object, properties: { id: { type: string }, items: { type: array, items: { type: string } } } } } }
components: { securitySchemes: { key: { type: apiKey, in: header, name: X-Api-Key } } }
`,
  });
  const printed = await run(
    folder,
    { SHOP_KEY: "s3cret" },
    ["import", "openapi", "shop.yaml", "--url", address],
    ["approve", "get_order", "--suggested", "--yes", "--reason", "GET changes nothing in this API"],
    ["build"],
    ["call", "get_order", '{ "id": "7/8" }', "--allow"],
  );
  expect(printed).toContain('"tea"');
  expect(printed).not.toContain("s3cret");
  expect(seen).toEqual(["/orders/7%2F8 s3cret"]);
});

test("the README's two commands, as they are printed", async () => {
  const readme = readFileSync(resolve(import.meta.dirname, "../../README.md"), "utf8");
  const [, section = ""] = /^## Start\n([\s\S]*?)^## /mu.exec(readme) ?? [];
  const commands = blocksOf(section)
    .filter(({ language }) => language === "sh")
    .flatMap(commandsOf);
  expect(commands).toHaveLength(2);
  const folder = empty();
  const path = [join(installed, "node_modules/.bin"), variables.PATH].join(delimiter);
  let printed = "";
  for (const { script } of commands) {
    // npx would only be slower to find what is installed.
    const done = await promisify(exec)(script.replace(/^npx /u, ""), {
      cwd: folder,
      env: { ...variables, PATH: path },
    });
    printed = done.stdout;
  }
  expect(printed).toMatch(/\d+ files written/u);
  expect(readFileSync(join(folder, "src/generated/registry.ts"), "utf8")).toContain("count_words");
});

test("an MCP server", async () => {
  const printed = await run(
    empty(),
    {},
    ["import", "mcp", "mcp-server-everything", "--only", "get-sum"],
    ["approve", "get-sum", "--suggested", "--yes", "--reason", "read its source: it adds"],
    ["build"],
    ["call", "get-sum", '{ "a": 19, "b": 23 }', "--allow"],
  );
  expect(printed).toContain("42");
});

test("a table is queried without code", async () => {
  const server = await createDatabases();
  const folder = empty();
  const environment = { DATABASE_URL: server.urls.application };
  const printed = await run(
    folder,
    environment,
    ["import", "sql"],
    ["approve", "*", "--suggested", "--yes", "--reason", "the statements only read"],
    ["build"],
    ["call", "list_users", '{ "plan": "team", "order": "-joined", "limit": 1 }', "--allow"],
  );
  expect(printed).toContain('"Barbara"');
  expect(printed).not.toContain("Ada");
  await expect(run(folder, {}, ["call", "list_users", "{}", "--allow"])).rejects.toThrow(/DATABASE_URL/);
});

test("a command is run without code", async () => {
  const folder = empty({
    "specs/count_words.tool.yaml": `hasp: 1
name: count_words
description: Count the words of a file. Use it to see how long a text is. Do not use it on folders.
input:
  type: object
  required: [path]
  properties: { path: { type: string, maxLength: 200, description: The file. } }
handler:
  command: { argv: [wc, -w, --, "{path}"] }
`,
    "notes.txt": "one two three\n",
  });
  const printed = await run(
    folder,
    {},
    ["check"],
    ["test"],
    ["build"],
    ["call", "count_words", '{ "path": "notes.txt" }', "--allow"],
  );
  expect(printed).toContain("3 notes.txt");

  // The same handler, served to an MCP client.
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [bin, "serve", "--allow", "count_words", "--permit", "count_words"],
    cwd: folder,
    env: { PATH: inheritedPath },
    stderr: "ignore",
  });
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
  onTestFinished(() => client.close());
  expect(await client.callTool({ name: "count_words", arguments: { path: "notes.txt" } })).toMatchObject({
    content: [{ type: "text", text: "3 notes.txt\n" }],
  });
});

test("a value of the context that is missing or does not fit stops the call", async () => {
  const folder = empty({
    "hasp.config.yaml": `specs: [specs]
emit: { jsonLists: true }
context: ./src/context.ts#Context
connections: { shop: { http: { baseUrl: "http://127.0.0.1:9", allowPrivateAddresses: true } } }
`,
    "src/context.ts": `export interface Context { readonly customer: string | undefined }
export const createContext = (): Context => ({ customer: process.env["CUSTOMER"] });
`,
    "specs/list_orders.tool.yaml": `hasp: 1
name: list_orders
description: List the customer's orders. Use it to see what was bought. Do not use it to change an order.
input: { type: object, properties: { customer: { type: string, maxLength: 5, description: Whose. } } }
handler:
  http: { connection: shop, method: GET, path: /orders, query: [customer] }
bind: { customer: context.customer }
`,
  });
  await run(folder, {}, ["build"]);
  const call = ["call", "list_orders", "{}", "--allow"];
  await expect(run(folder, {}, call)).rejects.toThrow(/list_orders needs customer in the context/);
  await expect(run(folder, { CUSTOMER: "c7" }, call)).rejects.toThrow(/ECONNREFUSED/);
  const overlong = run(folder, { CUSTOMER: "customer-7" }, call);
  await expect(overlong).rejects.toThrow(/list_orders was not run[^]*context\.customer breaks `maxLength`/);
  const chosen = ["call", "list_orders", '{ "customer": "c8" }', "--allow"];
  await expect(run(folder, { CUSTOMER: "c7" }, chosen)).rejects.toThrow(/customer/);
  const list = readFileSync(join(folder, "src/generated/providers/anthropic.json"), "utf8");
  expect(list).not.toContain("customer:");
  expect(list).not.toContain('"customer"');
});
