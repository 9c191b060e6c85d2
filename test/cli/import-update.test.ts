import { describe, expect, test } from "vitest";
import { hasp, haspJson, project, put, tree } from "./command-line.js";

const list = (...tools: readonly object[]): string => JSON.stringify({ tools });
const tool = (parts: object = {}): object => ({
  name: "a",
  description: "Does a.",
  inputSchema: {
    type: "object",
    required: ["id"],
    properties: { id: { type: "string", description: "Its id." }, size: { type: "integer", description: "How many." } },
  },
  ...parts,
});
const spec = "specs/a.tool.yaml";

async function imported(): Promise<string> {
  const folder = project({ "hasp.config.yaml": "specs: [specs]\n", "list.json": list(tool()) });
  expect((await haspJson(folder, ["import", "mcp-list", "list.json"])).code).toBe(0);
  return folder;
}

const edit = (folder: string, from: string, to: string): void => {
  const text = tree(folder)[spec] ?? "";
  expect(text).toContain(from);
  put(folder, { [spec]: text.replace(from, to) });
};

describe("import --update", () => {
  test("merges what the author and the source have changed, and keeps comments and order", async () => {
    const folder = await imported();
    edit(folder, "description: Does a.", "description: Does a. Use it daily. # our own words");
    edit(folder, "description: Its id.", "description: Its id. # as printed\n      maxLength: 20");
    put(folder, {
      "list.json": list(
        tool({
          inputSchema: {
            type: "object",
            required: ["id", "mode"],
            properties: {
              id: { type: "string", description: "Its id.", minLength: 1 },
              mode: { type: "string", description: "Which." },
            },
          },
        }),
      ),
    });
    const run = await haspJson(folder, ["import", "mcp-list", "list.json", "--update"]);
    expect(run).toMatchObject({ code: 0, diagnostics: [] });
    const text = tree(folder)[spec] ?? "";
    expect(text).toContain("description: Does a. Use it daily. # our own words\n");
    expect(text).toMatch(/description: Its id\. # as printed\n +maxLength: 20\n +minLength: 1\n/u);
    expect(text).toContain("required: [id, mode]");
    expect(text).not.toContain("size:");
    expect((await haspJson(folder, ["import", "mcp-list", "list.json", "--check"])).code).toBe(0);
    // The next update knows this one.
    put(folder, { "list.json": list(tool({ description: "Does a." })) });
    expect((await haspJson(folder, ["import", "mcp-list", "list.json", "--update"])).code).toBe(0);
    expect(tree(folder)[spec]).toContain("description: Does a. Use it daily. # our own words\n");
    expect(tree(folder)[spec]).toContain("maxLength: 20");
    expect(tree(folder)[spec]).not.toContain("minLength");
  });

  test("reports each conflict at its line and leaves the file, unless one side is chosen", async () => {
    const folder = await imported();
    edit(folder, "description: Does a.", "description: Mine.");
    put(folder, { "list.json": list(tool({ description: "Theirs.", title: "A" })) });
    const before = tree(folder);
    const run = await haspJson(folder, ["import", "mcp-list", "list.json", "--update"]);
    expect(run.code).toBe(1);
    expect(run.diagnostics).toMatchObject([{ code: "import/conflict", tool: "a", uri: spec, line: 4 }]);
    expect(run.diagnostics[0]?.message).toBe(
      'You and the source have both changed /description of "specs/a.tool.yaml": yours is "Mine.", the source has "Theirs.", and the last import had "Does a.".',
    );
    expect(tree(folder)).toEqual(before);
    expect((await haspJson(folder, ["import", "mcp-list", "list.json", "--prefer", "ours"])).code).toBe(0);
    expect(tree(folder)[spec]).toContain("description: Mine.\n");
    expect(tree(folder)[spec]).toContain("title: A\n");
    put(folder, before);
    expect((await haspJson(folder, ["import", "mcp-list", "list.json", "--prefer", "theirs"])).code).toBe(0);
    expect(tree(folder)[spec]).toContain("description: Theirs.\n");
    expect((await hasp(folder, ["import", "mcp-list", "list.json", "--prefer", "both"])).code).toBe(2);
  });

  test("takes every difference for a conflict where the record is missing or was changed", async () => {
    const folder = await imported();
    edit(folder, "description: Does a.", "description: Mine.");
    put(folder, { "list.json": list(tool({ title: "A" })), "hasp-imports/specs/a.json": '{"description":"Mine."}\n' });
    const run = await haspJson(folder, ["import", "mcp-list", "list.json", "--update"]);
    expect(run.code).toBe(1);
    expect(run.diagnostics.map(({ code, message }) => `${code} ${message.split(" of ")[0] ?? ""}`)).toEqual([
      expect.stringContaining("/title"),
      expect.stringContaining("/description"),
    ]);
  });

  test("needs no record for a spec that nobody has edited", async () => {
    const folder = await imported();
    put(folder, { "list.json": list(tool({ title: "A" })), "hasp-imports/specs/a.json": "nonsense" });
    expect((await haspJson(folder, ["import", "mcp-list", "list.json", "--update"])).code).toBe(0);
    expect(tree(folder)[spec]).toContain("title: A\n");
    expect(JSON.parse(tree(folder)["hasp-imports/specs/a.json"] ?? "")).toMatchObject({ title: "A" });
  });
});
