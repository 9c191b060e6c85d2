// A plugin outside the workspace: tested and packed by its author, installed from the tarball by another project.
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { installPacked } from "./packed.testing.js";

const folder = mkdtempSync(join(tmpdir(), "hasp-plugin-"));
const [author, user] = [join(folder, "author"), join(folder, "user")];

const SPEC = `hasp: 1
name: find_order
description: Find one order. Use it when its id is known. Do not use it to search.
input: { type: object, required: [id], properties: { id: { type: string, maxLength: 9, description: The order. } } }
limits: { maxResultSizeChars: 9000 }
behavior: { interruptBehavior: block }
`;

const QUEUED = `${SPEC.replace("find_order", "send_order")}owner: team-shop
output: { type: object, required: [sent], properties: { sent: { type: string } } }
handler: { acme/queue: { queue: orders } }
tests:
  - { input: { id: o1 }, respond: { output: { sent: later } }, expect: { output: { sent: later }, request: { input: { id: o1 } } } }
`;

const CONFIG = `specs: [specs]
dialects: [mcp, acme/chat]
emit: { jsonLists: true }
plugins: ["@acme/hasp-plugin", ./rules.yaml]
`;

const RULES = `rules:
  acme/short: { on: spec, field: description, maxLength: 20, severity: warning, message: Say it in 20 characters. }
`;

function put(path: string, text: string): void {
  mkdirSync(dirname(join(user, path)), { recursive: true });
  writeFileSync(join(user, path), text);
}

function run(
  cwd: string,
  command: string,
  words: readonly string[],
): { readonly code: number | null; readonly out: string } {
  const { CI: _ci, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(command, words, {
    cwd,
    env: { ...env, NO_COLOR: "1" },
    encoding: "utf8",
  });
  return { code: status, out: stdout + stderr };
}
const hasp = (...words: string[]): ReturnType<typeof run> =>
  run(user, process.execPath, ["node_modules/hasp/bin/hasp.js", ...words]);

beforeAll(async () => {
  mkdirSync(user);
  await installPacked(user);
  cpSync(join(import.meta.dirname, "hasp-plugin"), author, { recursive: true });
  symlinkSync(join(user, "node_modules"), join(author, "node_modules"));
  put("package.json", '{ "name": "shop", "type": "module" }');
  put("hasp.config.yaml", CONFIG);
  put("rules.yaml", RULES);
  put("specs/find_order.tool.yaml", SPEC);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("the author's tests pass with the public door alone", () => {
  expect(run(author, process.execPath, ["--test"])).toMatchObject({ code: 0 });
});

test("another project installs the tarball and uses every part", () => {
  expect(hasp("check").out).toContain("plugin/not-found");
  const listing = execFileSync("npm", ["pack", "--json"], {
    cwd: author,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [{ filename }] = JSON.parse(listing) as [{ readonly filename: string }];
  const target = join(user, "node_modules/@acme/hasp-plugin");
  mkdirSync(target, { recursive: true });
  execFileSync("tar", ["-xzf", join(author, filename), "--strip-components=1", "-C", target]);

  const check = hasp("lint", "--format", "acme/lines");
  expect(check).toMatchObject({ code: 1 });
  expect(check.out).toContain("acme/needs-owner specs/find_order.tool.yaml:2\n");
  expect(check.out).toContain("acme/short specs/find_order.tool.yaml:3\n");

  put("specs/find_order.tool.yaml", `${SPEC}owner: team-shop\n`);
  put("specs/send_order.tool.yaml", QUEUED);
  expect(hasp("build")).toMatchObject({ code: 0 });
  expect(readFileSync(join(user, "src/generated/acme/tools.pyi"), "utf8")).toContain("    id: str\n");
  const list = JSON.parse(readFileSync(join(user, "src/generated/providers/acme/chat.json"), "utf8")) as object[];
  expect(list).toMatchObject([{ kind: "function", name: "find_order" }, { name: "send_order" }]);
  expect(hasp("build", "--check")).toMatchObject({ code: 0 });
  expect(hasp("call", "send_order", '{"id":"o1"}', "--allow").out).toContain("orders:o1");

  // The kind's handler answers a test, is shown and listed, and counts among the kinds that a misspelt one resembles.
  expect(hasp("test")).toMatchObject({ code: 0 });
  expect(hasp("show", "send_order").out).toContain("send_order");
  expect(hasp("catalogue", "--out", "page")).toMatchObject({ code: 0 });
  expect(readFileSync(join(user, "page/index.html"), "utf8")).toContain("acme/queue");
  for (const [kind, nearest] of Object.entries({ "acme/quue": "acme/queue", htpp: "http" })) {
    put("specs/other_order.tool.yaml", QUEUED.replace("acme/queue", kind).replace("send_order", "other_order"));
    const misspelt = hasp("check");
    expect(misspelt).toMatchObject({ code: 1 });
    expect(misspelt.out).toContain(`the handler kind "${kind}". Did you mean "${nearest}"?`);
  }
  rmSync(join(user, "specs/other_order.tool.yaml"));

  put("tools.csv", "list_orders,List the orders.\n");
  expect(hasp("import", "acme/csv", "tools.csv")).toMatchObject({ code: 0 });
  expect(readFileSync(join(user, "specs/list_orders.tool.yaml"), "utf8")).toContain("description: List the orders.");
});

test("hasp new plugin writes a plugin whose test passes and whose rule runs", () => {
  expect(hasp("new", "plugin")).toMatchObject({ code: 0 });
  expect(run(user, process.execPath, ["--test", "hasp-plugins/acme.test.mjs"])).toMatchObject({ code: 0 });
  put("hasp.config.yaml", "specs: [specs]\nplugins: [./hasp-plugins/acme.mjs]\n");
  expect(hasp("check").out).toContain("acme/needs-owner");
  expect(hasp("new", "plugin").out).toContain("acme.mjs");
});
