import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hasp, haspJson, minimalSpec, project, put, tree } from "./command-line.js";

describe("a message does not mislead", () => {
  test("about a missing handler: a build would write a stub over lost code", async () => {
    const folder = project({ "hasp.config.yaml": "specs: [specs]\n", "specs/a.tool.yaml": minimalSpec("a") });
    await hasp(folder, ["build"]);
    rmSync(join(folder, "src/tools/a.ts"));
    const check = await haspJson(folder, ["build", "--check"]);
    expect(check).toMatchObject({ code: 1, diagnostics: [{ code: "drift/handler-missing" }] });
    expect(check.diagnostics[0]?.help).toContain("git checkout -- src/tools/a.ts");
    expect((await hasp(folder, ["build", "--check"])).out).not.toContain("Run `hasp build`");
    expect((await haspJson(folder, ["build"])).diagnostics).toMatchObject([
      { code: "write/handler-replaced", severity: "warning" },
    ]);
    expect((await haspJson(folder, ["build"])).diagnostics).toEqual([]);
    // The handler of a new tool was never there.
    put(folder, { "specs/b.tool.yaml": minimalSpec("b") });
    const codes = (await haspJson(folder, ["build", "--check"])).diagnostics.map(({ code }) => code);
    expect(new Set(codes)).toEqual(new Set(["drift/missing", "drift/outdated"]));
  });

  test("about a name collision: the tool whose handler moves is not gone", async () => {
    const folder = project({ "hasp.config.yaml": "specs: [specs]\n", "specs/a.tool.yaml": minimalSpec("get_user") });
    await hasp(folder, ["build"]);
    put(folder, { "specs/b.tool.yaml": minimalSpec("getUser") });
    const { diagnostics } = await haspJson(folder, ["build"]);
    const moved = diagnostics.find(({ code }) => code === "write/handler-moved");
    expect(moved?.message).toMatch(/^"src\/tools\/get-user\.ts" was the handler of "get_user", whose handler is now /u);
    expect(diagnostics.map(({ code }) => code)).not.toContain("write/handler-without-tool");
    expect(Object.keys(tree(folder))).toContain("src/tools/get-user.ts");
  });

  test("about an excluded tool: it is listed once", async () => {
    const spec = minimalSpec("a").replace(
      "properties:\n",
      "properties:\n    any: { type: object, additionalProperties: true, description: Anything. }\n",
    );
    const folder = project({
      "hasp.config.yaml": "specs: [specs]\ndialects: { mcp: {}, openai-responses-strict: { onUncarried: exclude } }\n",
      "specs/a.tool.yaml": spec,
    });
    const { out } = await hasp(folder, ["build", "--unlocked"]);
    expect(out.match(/accepts only closed objects/gu)).toHaveLength(1);
    expect(out).not.toContain("is not in openai-responses-strict");
  });

  test("about a stale approval: what is blamed is what changed", async () => {
    const spec = minimalSpec("a", "concurrency: { rules: [{ custom: isCheap, class: READ_ONLY }] }\n");
    const folder = project({ "hasp.config.yaml": "specs: [specs]\n", "specs/a.tool.yaml": spec });
    await hasp(folder, ["build", "--unlocked"]);
    await hasp(folder, ["approve", "a", "--yes", "--reason", "It only counts."]);
    expect((await haspJson(folder, ["check"])).code).toBe(0);
    const stale = async (): Promise<string> =>
      (await haspJson(folder, ["check"])).diagnostics.find(({ code }) => code === "ledger/stale")?.message ?? "";
    put(folder, { "specs/a.tool.yaml": spec.replace("maxLength: 100", "maxLength: 200") });
    expect(await stale()).toMatch(/changed since: the schema of the fields that the rule reads\.$/u);
    put(folder, { "specs/a.tool.yaml": spec });
    rmSync(join(folder, "src/tools/a.ts"));
    expect(await stale()).toMatch(/changed since: the handler that holds the function, which is missing\.$/u);
    // An approval that does not tell the parts apart blames none of them.
    const ledger = tree(folder)["hasp-ledger/a.yaml"] ?? "";
    put(folder, { "hasp-ledger/a.yaml": ledger.replace(/(covers: \S+) .*/u, "$1") });
    expect(await stale()).not.toContain("handler");
  });

  test("about the result of a handler: nobody sent it", async () => {
    const folder = project({
      "hasp.config.yaml": "specs: [specs]\n",
      "specs/a.tool.yaml": minimalSpec("a", "output: { type: object, properties: { n: { type: integer } } }\n"),
    });
    await hasp(folder, ["build"]);
    writeFileSync(join(folder, "src/tools/a.ts"), 'export const execute = async () => ({ n: "three" });\n');
    const { out } = await hasp(folder, ["call", "a", '{"id":"x"}', "--allow"]);
    expect(out).toContain('must be an integer; the handler returned "three"');
    expect(out).not.toContain("you sent");
  });

  test("about what a server answered: it is no file, and each finding names its tool", async () => {
    const folder = project({ "hasp.config.yaml": "specs: [specs]\n" });
    mkdirSync(join(folder, "specs"));
    const tools = [
      { name: "good", description: "Does it.", inputSchema: { type: "object", properties: { y: { type: "object" } } } },
      { name: "bad", description: "Does it.", inputSchema: { type: "object", properties: { x: { type: "strng" } } } },
    ];
    const answers = `{ initialize: { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } },
      "tools/list": { tools: ${JSON.stringify(tools)} } }`;
    put(folder, {
      "server.mjs": `import { createInterface } from "node:readline";
const answers = ${answers};
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result: answers[method] }) + "\\n");
});
`,
    });
    const { diagnostics } = await haspJson(folder, ["import", "mcp", "node server.mjs"]);
    expect(diagnostics.map(({ code, tool, uri }) => ({ code, tool, uri }))).toEqual([
      { code: "import/unknown-type", tool: "bad", uri: null },
      { code: "import/bare-object", tool: "good", uri: null },
    ]);
    expect(diagnostics[1]?.message).toMatch(/^tool "good", \/tools\/0\/inputSchema\/properties\/y: /u);
  });

  test("about an address: it is no missing file", async () => {
    const folder = project({ "hasp.config.yaml": "specs: [specs]\n" });
    const run = await haspJson(folder, ["import", "anthropic", "https://api.invalid/tools.json"]);
    expect(run).toMatchObject({ code: 2, diagnostics: [{ code: "cli/bad-source" }] });
    expect(run.diagnostics[0]?.message).toContain("save the document in the project");
    expect(run.diagnostics[0]?.message).not.toContain("no such file");
  });
});
