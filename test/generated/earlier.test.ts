import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { transform } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CODEGEN_ENTRIES } from "@hasp/compiler/layout";
import { builtInPlugins } from "@hasp/project/built-in";
import { hasp, tree } from "../cli/command-line.js";

const earlier = join(import.meta.dirname, "earlier");

/** The user's own code: their context is untyped here, since only what runs is tested. */
const OWN = {
  "package.json": '{ "type": "module", "private": true }',
  "say.mjs": "console.log(process.argv.slice(2).join('\\n'));\n",
  "src/context.ts": "export interface Context { readonly tenant: string; readonly db: any; readonly server: any }\n",
  "src/tools/apart.ts":
    'export const execute = () => process.argv[1].includes("isolated-child") ? "elsewhere" : "here";\n',
  "src/tools/buy.ts": `export const execute = ({ amount, note }: any) => ({ bought: amount, note });
export const isFree = ({ amount }: any) => amount === 0;
export const isOpen = ({ to }: any) => (to.city === "Nowhere" ? "It is closed." : true);
`,
  "src/tools/ship.ts": "export const execute = ({ to }: any) => `to ${to.city}`;\n",
  "src/main.ts": `import { createDispatcher, createPermissions } from "@hasp/runtime";
import { policy } from "./generated/policy.js";
import * as anthropic from "./generated/providers/anthropic.js";
import * as readers from "./generated/readers/providers/mcp.js";
import { registry, toolsets } from "./generated/registry.js";

let isOpen = false;
let asked = "";
const db = {
  query: async (text: string, values: readonly unknown[] = []) => {
    if (text === "SAVEPOINT hasp" && !isOpen) throw Object.assign(new Error("no transaction"), { code: "25P01" });
    if (text.startsWith("BEGIN")) isOpen = true;
    if (text.startsWith("DECLARE")) asked = text.split("\\n")[1] + " " + values.join();
    return { rows: text.startsWith("FETCH") ? [{ asked }] : [], rowCount: 0 };
  },
};
const server = { callTool: async (call: unknown) => ({ content: [{ type: "text", text: JSON.stringify(call) }] }) };
const run = (dialect: string, ...calls: readonly (readonly [string, object])[]) =>
  Promise.all(calls.map(async ([name, input]) => {
    const permissions = createPermissions({ ...policy, ask: () => "allow" } as any);
    // One dispatcher for each call, so that no call brings in what makes the next one ask.
    const dispatcher = createDispatcher({ tools: registry, dialect, features: () => true, permissions } as any);
    const [result] = await dispatcher.dispatch([{ id: name, name, input }], { context: { tenant: "acme", db, server } } as any) as any[];
    return result.error?.message ?? result.content[0].text;
  }));
const names = (tools: readonly any[]) => tools.map(({ name }) => name);
const to = { city: "Oslo" };
console.log(JSON.stringify({
  names: registry.names,
  toolsets,
  lists: [names(anthropic.tools), names(anthropic.toolsFor(() => true)), names(readers.tools)],
  classes: [0, 0.5, 2].map((amount) => registry.get("buy").classify({ amount, to } as any).class),
  results: await run(
    "anthropic",
    ["buy", { amount: 3, to }],
    ["buy", { amount: 501, to }],
    ["buy", { amount: 1, to: { city: "Nowhere" } }],
    ["buy", { amount: 0, to, speed: { days: 1 } }],
    ["ship", { to }],
    ["read_order", { id: "a/b" }],
    ["find_order", { name: "Ann" }],
    ["say", { word: "hello" }],
    ["ask_server", { question: "why" }],
    ["apart", {}],
  ),
  decoded: await run("openai-responses-strict", ["buy", { amount: 3, to: { ...to, street: null }, note: null, speed: null }]),
}));
`,
};

test("generated code imports hasp's packages by numbered entry points and extensions only, and versions.md lists each", async () => {
  const texts = Object.values(await generateToday()).join("\n");
  const imported = new Set(Array.from(texts.matchAll(/ from "(@hasp\/[^"]+)"/g), ([, from]) => from));
  const { search, ...others } = CODEGEN_ENTRIES;
  // No tool here is deferred.
  const entries = [...Object.values(others), ...Object.keys(builtInPlugins.handlerKinds.entries)];
  expect([...imported].toSorted()).toEqual(entries.toSorted());
  const page = readFileSync(join(import.meta.dirname, "../../packages/hasp/docs/versions.md"), "utf8");
  for (const entry of [search, ...entries]) {
    expect(entry).toMatch(/\/v\d+$|^@hasp\/runtime\/(?:flow|results|search)$/);
    expect(page).toContain(`\`${entry}\``);
  }
});

const homes: string[] = [];
const requests: (readonly (string | undefined)[])[] = [];
const service = createServer((request, response) => {
  requests.push([request.method, request.url, request.headers.authorization]);
  response.setHeader("content-type", "application/json").end('{"id":"a/b"}');
});
beforeAll(() => new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve)));
afterAll(async () => {
  for (const home of homes) rmSync(home, { recursive: true, force: true });
  await new Promise((resolve) => service.close(resolve));
});

async function generateToday(): Promise<Readonly<Record<string, string>>> {
  const home = mkdtempSync(join(tmpdir(), "hasp-today-"));
  homes.push(home);
  cpSync(join(earlier, "project"), home, { recursive: true });
  const { code, out } = await hasp(home, ["build", "--unlocked"]);
  expect(code, out).toBe(0);
  const files = Object.entries(tree(home)).map(([path, text]) => [path.replaceAll("\\", "/"), text] as const);
  return Object.fromEntries(files.filter(([path]) => path.startsWith("src/generated/") && path.endsWith(".ts")));
}

/** Runs the user's program with this generated code and the packages of today. */
async function runWith(generated: Readonly<Record<string, string>>): Promise<unknown> {
  const home = mkdtempSync(join(tmpdir(), "hasp-earlier-"));
  homes.push(home);
  symlinkSync(join(import.meta.dirname, "../node_modules"), join(home, "node_modules"));
  const { port } = service.address() as AddressInfo;
  for (const [path, text] of Object.entries({ ...OWN, ...generated })) {
    const isModule = path.endsWith(".ts");
    const source = text.replace("127.0.0.1:18765", `127.0.0.1:${port}`);
    const target = join(home, path.replace(/(?<!\.d)\.ts$/u, ".js"));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, isModule ? (await transform(source, { loader: "ts", format: "esm" })).code : source);
  }
  const { stdout } = await promisify(execFile)(process.execPath, ["src/main.js"], {
    cwd: home,
    env: { ...process.env, SHOP_TOKEN: "secret-token" },
  });
  return JSON.parse(stdout);
}

const READERS = ["find_order", "read_order"];
const ALL = ["apart", "ask_server", "buy", "find_order", "list_orders", "read_order", "say", "ship"];
const forms = readdirSync(earlier).filter((file) => file.endsWith(".json"));

test.each(["today", ...forms])("a program runs with the code that hasp generated: %s", async (form) => {
  requests.length = 0;
  const generated = (
    form === "today" ? await generateToday() : JSON.parse(readFileSync(join(earlier, form), "utf8"))
  ) as Readonly<Record<string, string>>;
  expect(await runWith(generated)).toEqual({
    names: ALL,
    toolsets: { all: ALL, readers: READERS },
    lists: [ALL.filter((name) => name !== "ship"), ALL, READERS],
    classes: ["WRITE_EXCLUSIVE", "WRITE_EXCLUSIVE", "UNSAFE"],
    results: [
      '{"bought":3,"note":"none"}',
      "Too expensive.",
      expect.stringContaining("- It is closed."),
      expect.stringContaining("- Speed costs something."),
      "to Oslo",
      '{"id":"a/b"}',
      '{"rows":[{"asked":"SELECT id FROM orders WHERE name = $1 Ann"}],"rowCount":1}',
      "--\nhello\n",
      '{"name":"ask","arguments":{"question":"why"}}',
      "elsewhere",
    ],
    decoded: ['{"bought":3,"note":"none"}'],
  });
  expect(requests).toEqual([["GET", "/orders/a%2Fb?tenant=acme", "Bearer secret-token"]]);
});
