import { spawn } from "node:child_process";
import { symlinkSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bin, hasp, haspJson, minimalSpec, project, put, tree } from "./command-line.js";

// One project, and an address for each of its environments.

let seen: string[] = [];
const servers = ["staging", "production"].map((name) =>
  createServer((request, response) => {
    seen.push(`${name} ${request.url}`);
    response.setHeader("content-type", "application/json").end(JSON.stringify({ at: name }));
  }),
);
let addresses: readonly string[];
let folder: string;

const CLAIMS = "concurrency: { class: READ_ONLY }\n";
const spec = (name: string): string =>
  minimalSpec(name, `handler: { http: { connection: shop, method: GET, path: "/${name}/{id}" } }\n`).replace(
    "behavior: {",
    "behavior: { requiresPermission: false,",
  ) + CLAIMS;
const config = (allowed: readonly string[], more = ""): string =>
  `specs: [specs]\ndialects: [mcp]\nconnections:\n  shop: { http: { baseUrl: { env: SHOP_URL, allowed: ${JSON.stringify(allowed)} }, allowPrivateAddresses: true } }\n${more}`;

beforeAll(async () => {
  addresses = await Promise.all(
    servers.map(
      (server) =>
        new Promise<string>((resolve) => {
          server.listen(0, "127.0.0.1", () => {
            resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
          });
        }),
    ),
  );
  folder = project({
    "hasp.config.yaml": config(addresses),
    "specs/order.tool.yaml": spec("get_order"),
    "specs/item.tool.yaml": spec("get_item"),
    "package.json": '{ "type": "module" }',
  });
  symlinkSync(join(import.meta.dirname, "../node_modules"), join(folder, "node_modules"));
  expect((await hasp(folder, ["approve", "*", "--yes", "--reason", "reads one record"])).code).toBe(0);
  expect((await hasp(folder, ["build"])).code).toBe(0);
});
afterAll(() => servers.forEach((server) => server.close()));

/** The server lives in this process, so the call must not block it. */
function call(words: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<string> {
  const { SHOP_URL: _own, CI: _ci, ...inherited } = process.env;
  const child = spawn(process.execPath, [bin, "call", ...words], {
    cwd: folder,
    env: { ...inherited, ...environment },
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part: Buffer) => (text += part.toString()));
  seen = [];
  return new Promise((resolve) => child.on("close", (code) => resolve(`${code}: ${text}`)));
}

describe("a connection with several addresses", () => {
  const order = ["get_order", '{"id":"a"}'];

  test("calls the one that the environment names, and no approval changes", async () => {
    const [staging = "", production = ""] = addresses;
    expect(await call(order, { SHOP_URL: `${staging}/` })).toMatch(/^0: [\s\S]*"at":"staging"/u);
    expect(seen).toEqual(["staging /v1/get_order/a"]);
    expect(await call(order, { SHOP_URL: production })).toMatch(/^0: [\s\S]*"at":"production"/u);
    const { code, diagnostics } = await haspJson(folder, ["check"], { SHOP_URL: staging });
    expect([code, diagnostics.map((note) => note.code)]).toEqual([0, []]);
  });

  test.each([
    ["an address that is not allowed", () => "http://127.0.0.1:1/v1"],
    ["another path of an allowed host", () => (addresses[0] ?? "").replace("/v1", "/v2")],
    ["an allowed address with a user", () => (addresses[0] ?? "").replace("//", "//me:secret@")],
    ["no address", () => "staging"],
  ])("refuses %s and names those that are", async (_what, address) => {
    const printed = await call(order, { SHOP_URL: address() });
    expect(printed).toMatch(/^1: [\s\S]*SHOP_URL, which holds no allowed address; set it to http:.*\/v1 or http:/u);
    expect(printed).not.toContain("secret");
    expect(seen).toEqual([]);
  });

  test("refuses calls while the variable is not set", async () => {
    expect(await call(order)).toMatch(/^1: [\s\S]*SHOP_URL, which is not set/u);
  });

  test("reads the variable from a file, and from the environment first", async () => {
    const [staging = "", production = ""] = addresses;
    put(folder, { ".env": `# where the shop is\nexport SHOP_URL="${staging}" # for now\n\nNOTE='two\nlines'\n` });
    const words = [...order, "--env-file", ".env"];
    expect(await call(words)).toContain('"at":"staging"');
    expect(await call(words, { SHOP_URL: production })).toContain('"at":"production"');
  });

  test.each([
    [".env", "SHOP_URL\n", { code: "cli/env-file-line", uri: ".env", line: 1 }],
    [".env", 'A=1\n\nB="no end\nC=2\n', { code: "cli/env-file-line", uri: ".env", line: 3 }],
    [".env", "# a\n1A=2\n", { code: "cli/env-file-line", uri: ".env", line: 2 }],
    ["none.env", "", { code: "cli/env-file-unreadable" }],
  ])("refuses the file of variables %s with %j", async (file, text, finding) => {
    put(folder, { ".env": text });
    expect(await haspJson(folder, ["check", "--env-file", file])).toMatchObject({ code: 2, diagnostics: [finding] });
  });

  test("is approved again for one more address, and not for one less", async () => {
    const stale = async (allowed: readonly string[]): Promise<readonly string[]> => {
      put(folder, { "hasp.config.yaml": config(allowed) });
      return (await haspJson(folder, ["check"])).diagnostics.map(({ code }) => code);
    };
    expect(await stale([...addresses, "https://shop.example.com"])).toContain("ledger/stale");
    expect(await stale(addresses)).toEqual([]);
  });

  test("must not allow private addresses unless it says so, nor what is no address", async () => {
    put(folder, { "hasp.config.yaml": config(addresses).replace("allowPrivateAddresses: true", "timeoutSeconds: 3") });
    expect((await haspJson(folder, ["check"])).diagnostics.map(({ code }) => code)).toContain(
      "handler/private-address",
    );
    for (const wrong of ["[]", "[staging]", "staging"]) {
      put(folder, { "hasp.config.yaml": config([]).replace("allowed: []", `allowed: ${wrong}`) });
      expect((await haspJson(folder, ["check"])).code).not.toBe(0);
    }
    put(folder, { "hasp.config.yaml": config(addresses) });
  });
});

test("a call needs nothing but its own tool: neither approvals nor a build of the others", async () => {
  const [staging = ""] = addresses;
  const before = tree(folder);
  const approved = Object.keys(before).find((path) => path.startsWith("hasp-ledger/") && path.includes("item")) ?? "";
  put(folder, {
    [approved]: "",
    "specs/item.tool.yaml": spec("get_item").replace("Look one record up", "Look up one record"),
    "hasp.config.yaml": config(addresses, "budgets: { toolTokens: 5000 }\n"),
  });
  expect((await haspJson(folder, ["build"])).code).toBe(1);
  expect(await call(["get_order", '{"id":"b"}'], { SHOP_URL: staging })).toMatch(/^0: [\s\S]*"at":"staging"/u);
  expect(await call(["get_item", '{"id":"b"}'], { SHOP_URL: staging })).toMatch(/^2: /u);
});
