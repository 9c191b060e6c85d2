import { expect, test } from "vitest";
import { hasp, haspJson, project, tree } from "./command-line.js";

const tool = (name: string): object => ({
  name,
  description: `Reads. ${"It reads the thing in great detail. ".repeat(80)}`,
  inputSchema: { type: "object", properties: {} },
});
const files = { "list.json": JSON.stringify({ tools: ["get_a", "get_b", "get_c"].map(tool) }, undefined, 1) };

test("check --from needs no project, writes nothing, and says each kind of finding once", async () => {
  const folder = project(files);
  const before = tree(folder);
  const run = await hasp(folder, ["check", "--from", "list.json", "--for", "claude-code", "mcp", "gemini"]);
  expect(run.code).toBe(0);
  expect(run.out.match(/Claude Code cuts off the rest/gu)).toHaveLength(1);
  expect(run.out).toContain("2 more like this; --verbose prints them.");
  expect(run.out).toMatch(
    /^list\.json: 3 tools\nprovider +tools +constraints it drops +tokens\nmcp +3 +0 +\d+\ngemini +3 +3 +\d+$/m,
  );
  expect(tree(folder)).toEqual(before);
  const all = await hasp(folder, ["check", "--from", "list.json", "--for", "claude-code", "--verbose"]);
  expect(all.out.match(/Claude Code cuts off the rest/gu)).toHaveLength(3);
});

test("check --from gives programs every finding, with its place in the file", async () => {
  const { diagnostics, summary } = await haspJson(project(files), [
    "check",
    "--from",
    "list.json",
    "--for",
    "claude-code",
  ]);
  const cut = diagnostics.filter(({ code }) => code === "providers/mcp-client");
  expect(cut.map(({ tool: name, uri, line }) => `${name} ${uri}:${line}`)).toEqual([
    "get_a list.json:5",
    "get_b list.json:13",
    "get_c list.json:21",
  ]);
  expect(summary).toMatchObject({ lists: [{ name: "list.json", tools: 3, refused: [] }] });
});

test.each([
  [["--from", "list.json", "--for", "cursr"], 'There is no dialect or client "cursr". Did you mean "cursor"?'],
  [["--from", "list.json", "get_a"], '"--from" checks all tools of a file'],
  [["list.json"], "hasp check --from list.json"],
  [["--from", "none.json"], '"none.json" cannot be read'],
  [["--for", "cursor"], '"--for" and "--start" need "--from"'],
  [["--from", "list.json", "--fix"], "cannot be used with option '--fix'"],
])("check %j exits with 2 and says why", async (words, message) => {
  const run = await hasp(project({ ...files, "hasp.config.yaml": "" }), ["check", ...words]);
  expect(run.code).toBe(2);
  expect(run.out + run.error).toContain(message);
});
