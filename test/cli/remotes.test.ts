import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { hasp, haspJson, project, put, tree } from "./command-line.js";

const ADDRESS = "https://schemas.invalid/common/page.json";
const TEXT = '{ "type": "integer", "minimum": 1, "maximum": 50, "description": "Which page." }\n';
const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const STORED = `hasp-remotes/schemas.invalid-common-page-${sha256(TEXT).slice(0, 16)}.json`;
const files = {
  "hasp.config.yaml": `specs: [specs]\nremotes: { ${JSON.stringify(ADDRESS)}: ${sha256(TEXT)} }\n`,
  "specs/list_pages.tool.yaml": `hasp: 1
name: list_pages
description: List pages. Use it to find one. Do not use it to read one.
input: { type: object, properties: { page: { $ref: ${JSON.stringify(ADDRESS)} } } }
limits: { maxResultSizeChars: 2000 }
`,
  [STORED]: TEXT,
};

describe("a project with pinned remote schemas", () => {
  test("is checked, built, flattened and lowered without a network", async () => {
    const folder = project(files);
    expect(await haspJson(folder, ["check"])).toMatchObject({ code: 0, diagnostics: [] });
    expect((await haspJson(folder, ["build"])).code).toBe(0);
    for (const words of [
      ["schema", "flatten"],
      ["schema", "lower", "--for", "anthropic"],
    ]) {
      const run = await hasp(folder, [...words.slice(0, 2), "specs/list_pages.tool.yaml", ...words.slice(2)]);
      expect(run).toMatchObject({ code: 0, out: expect.stringContaining('"maximum": 50') });
    }
  });

  test("says how to store a text that is missing", async () => {
    const { [STORED]: _, ...others } = files;
    const folder = project(others);
    const run = await haspJson(folder, ["check"]);
    expect(run).toMatchObject({ code: 1, diagnostics: [{ code: "resolve/ref-unreadable", line: 4 }] });
    expect(run.diagnostics[0]?.message).toContain('run "hasp build --pin" once');
    expect((await hasp(folder, ["schema", "flatten", "specs/list_pages.tool.yaml"])).error).toContain(
      'run "hasp build --pin" once',
    );
    const pin = await haspJson(folder, ["build", "--pin"]);
    expect(pin).toMatchObject({ code: 2, diagnostics: [{ code: "cli/cannot-pin" }] });
    expect(Object.keys(tree(folder))).toEqual(Object.keys(others).toSorted());
  });

  test("refuses a stored text that somebody changed, after a clean run as well", async () => {
    const folder = project(files);
    expect((await haspJson(folder, ["check"])).code).toBe(0);
    put(folder, { [STORED]: TEXT.replace("50", "5000") });
    const run = await haspJson(folder, ["check"]);
    expect(run).toMatchObject({ code: 1, diagnostics: [{ code: "resolve/ref-unreadable" }] });
    expect(run.diagnostics[0]?.message).toContain(sha256(TEXT));
    expect((await hasp(folder, ["schema", "lower", "specs/list_pages.tool.yaml", "--for", "mcp"])).code).toBe(1);
  });

  test("reports invalid UTF-8 by line and byte, wherever a text is read", async () => {
    const bytes = Buffer.concat([Buffer.from("# first line\nab"), Buffer.from([0xe9]), Buffer.from("c\n")]);
    const words = "byte 3 of line 2 is 0xE9";
    for (const [path, command] of [
      ["specs/list_pages.tool.yaml", ["check"]],
      ["hasp.config.yaml", ["check"]],
      ["hasp-ledger/list_pages.yaml", ["check"]],
      ["list.json", ["import", "mcp-list", "list.json"]],
      ["specs/list_pages.tool.yaml", ["schema", "flatten", "specs/list_pages.tool.yaml"]],
    ] as const) {
      const folder = project(files);
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), bytes);
      const where = `${path} ${command.join(" ")}`;
      expect((await hasp(folder, [...command])).out, where).toContain(words);
      const [finding] = (await haspJson(folder, [...command])).diagnostics;
      expect(finding, where).toMatchObject({ uri: path, line: 2, column: 3 });
    }
  });
});
