import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type {
  CodeAction,
  CodeLens,
  CompletionItem,
  Hover,
  Location,
  WorkspaceEdit,
} from "vscode-languageserver-protocol/node";
import { project } from "../cli/command-line.js";
import { Editor } from "./editor.testing.js";
import { check, editorIn, withoutPaths, workedExample } from "./projects.testing.js";

/** Carries out an edit on disk, as an editor that saves at once. */
function apply(editor: Editor, folder: string, edit: WorkspaceEdit): void {
  for (const [path, text] of editor.edited(edit)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  for (const change of edit.documentChanges ?? []) {
    if (!("kind" in change) || change.kind !== "rename") continue;
    renameSync(join(folder, editor.pathOf(change.oldUri)), join(folder, editor.pathOf(change.newUri)));
  }
}

const ask = <Answer>(editor: Editor, method: string, parameters: object): Promise<Answer> =>
  editor.connection.sendRequest(`textDocument/${method}`, parameters);

async function hover(editor: Editor, path: string, text: string, offset = 1): Promise<string> {
  const shown = await ask<Hover | null>(editor, "hover", editor.at(path, text, offset));
  return (shown?.contents as { value: string } | undefined)?.value ?? "";
}

async function labels(editor: Editor, path: string, text: string, offset: number): Promise<readonly string[]> {
  const items = await ask<CompletionItem[]>(editor, "completion", editor.at(path, text, offset));
  return items.map(({ label }) => label);
}

/** The actions at a text, by title. */
async function actions(editor: Editor, path: string, text: string): Promise<ReadonlyMap<string, CodeAction>> {
  const { textDocument, position } = editor.at(path, text);
  const range = { start: position, end: position };
  const found = await ask<CodeAction[]>(editor, "codeAction", { textDocument, range, context: { diagnostics: [] } });
  return new Map(found.map((action) => [action.title, action]));
}

describe("in the worked example", () => {
  let editor: Editor;
  beforeAll(async () => {
    editor = await new Editor(workedExample()).start();
  });
  afterAll(async () => editor.stop());

  test("a hover says what a flag, a tool, a pattern and a keyword mean here", async () => {
    const spec = "specs/execute_sql.tool.yaml";
    expect(await hover(editor, spec, "isOpenWorld: false")).toMatch(
      /Strict default: `true`[^]*Here: `false`, stated[^]*Claim `behavior.isOpenWorld: false`: approved/u,
    );
    expect(await hover(editor, spec, "name: execute_sql", 8)).toMatch(
      /`execute_sql`: `UNSAFE`[^]*anthropic: \d+ tokens/u,
    );
    expect(await hover(editor, spec, "`query_database`", 3)).toContain("`query_database`: `READ_ONLY`");
    expect(await hover(editor, "policies/demo.yaml", "tool: run_shell", 8)).toContain("Matches `run_shell`.");
    expect(await hover(editor, spec, "minimum: 1")).toMatch(/anthropic: expressed[^]*openai-responses/u);
    expect(await hover(editor, "hasp.config.yaml", "outDir:")).toContain("only hasp writes");
    expect(await hover(editor, "hasp-ledger/execute_sql.yaml", "covers:")).toContain("Digest of what was reviewed");
  });

  test("completion knows keys, values, references, tools, context and conditions", async () => {
    const spec = "specs/execute_sql.tool.yaml";
    const bare = "specs/delete_file.tool.yaml";
    const policy = "policies/demo.yaml";
    for (const path of [spec, bare, policy, "hasp.config.yaml", "hasp-ledger/execute_sql.yaml"]) {
      await editor.open(path);
    }
    const type = async (path: string, text: string): Promise<readonly string[]> => {
      const end = editor.textOf(path).length;
      await editor.edit(path, end, end, text);
      const { textDocument } = editor.at(path, "");
      const lines = editor.textOf(path).split("\n");
      const position = { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
      const items = await ask<CompletionItem[]>(editor, "completion", { textDocument, position });
      await editor.edit(path, end, end + text.length, "");
      return items.map(({ label }) => label);
    };
    expect(await type(bare, "vis")).toContain("visibility");
    expect(await type(spec, "nam")).not.toContain("name");
    expect(await type(bare, "visibility:\n  ")).toEqual(expect.arrayContaining(["load", "searchHint"]));
    expect(await type(bare, "visibility: ")).toEqual(["normal", "deferred", "always"]);
    expect(await type(bare, "visibility: { load: ")).toEqual(["normal", "deferred", "always"]);
    expect(await type(spec, "handler:\n  sql:\n    connection: ")).not.toContain("run_shell");
    expect(await type(policy, "  - { tool: r")).toContain("run_shell");
    expect(await type("hasp.config.yaml", "findings: [{ rule: naming/")).toContain("naming/vague-name");
    expect(await type("hasp-ledger/execute_sql.yaml", "  - rea")).toContain("reason");
    expect(await labels(editor, spec, "input.mode == 'read'", 9)).toContain("input.mode");
    expect(await labels(editor, spec, "./common/database.yaml#/$defs/Scope", 20)).toContain(
      "./common/database.yaml#/$defs/Statement",
    );
    expect(await labels(editor, spec, "context: [database]", 11)).toContain("database");
    expect(await labels(editor, spec, "required: [query, mode]", 18)).toContain("maxRows");
  });

  test("definition and references cross files", async () => {
    const spec = "specs/execute_sql.tool.yaml";
    const [target] = await ask<Location[]>(editor, "definition", editor.at(spec, "database.yaml#/$defs/Scope", 3));
    expect(target?.uri).toBe(editor.uriOf("specs/common/database.yaml"));
    const line = editor.textOf("specs/common/database.yaml").split("\n")[target?.range.start.line ?? 0];
    expect(line).toContain("Scope:");
    const named = await ask<Location[]>(editor, "references", {
      ...editor.at("policies/demo.yaml", "query_database", 2),
      context: { includeDeclaration: true },
    });
    expect(new Set(named.map(({ uri }) => editor.pathOf(uri)))).toEqual(
      new Set([
        "policies/demo.yaml",
        "specs/query_database.tool.yaml",
        "specs/execute_sql.tool.yaml",
        "specs/find_user.tool.yaml",
      ]),
    );
  });

  test("a lens above each tool says its class, cost, tests and claims, another what it costs in each list", async () => {
    const [lens, costs] = await ask<CodeLens[]>(editor, "codeLens", {
      textDocument: { uri: editor.uriOf("specs/execute_sql.tool.yaml") },
    });
    expect(lens?.command?.title).toMatch(/^UNSAFE · \d+ tokens · 5 tests · \d claims$/u);
    expect(costs?.command?.title).toMatch(/^anthropic \d+ · /u);
  });
});

describe("a rename", () => {
  test("renaming a tool reaches specs, policies, its ledger and its handler; approvals wait for a look", async () => {
    const folder = workedExample();
    const editor = await editorIn(folder);
    const at = editor.at("specs/stop_task.tool.yaml", "name: stop_task", 8);
    expect(await ask(editor, "prepareRename", at)).toMatchObject({ placeholder: "stop_task" });
    const edit = await ask<WorkspaceEdit>(editor, "rename", { ...at, newName: "end_task" });
    apply(editor, folder, edit);
    // An approval covers the name: only a reviewer can say that it still holds.
    const codes = withoutPaths(await check(folder)).map((finding) => finding.split(" ")[1]);
    expect(new Set(codes.filter((code) => !code?.startsWith("safety/")))).toEqual(new Set(["ledger/stale"]));
    expect(existsSync(join(folder, "hasp-ledger/stop_task.yaml"))).toBe(false);
    expect(readFileSync(join(folder, "hasp-ledger/end_task.yaml"), "utf8")).toContain("the spec of end_task claims");
    const handler = readFileSync(join(folder, "src/tools/end-task.ts"), "utf8");
    expect(handler).toContain('import type { EndTaskHandler } from "../generated/tools/end-task.js";');
    expect(handler).not.toContain("StopTask");
  });

  test("renaming a definition reaches every reference", async () => {
    const folder = workedExample();
    const before = await check(folder);
    const editor = await editorIn(folder);
    const at = editor.at("specs/execute_sql.tool.yaml", "database.yaml#/$defs/Scope", 22);
    const edit = await ask<WorkspaceEdit>(editor, "rename", { ...at, newName: "DatabaseScope" });
    apply(editor, folder, edit);
    expect(await check(folder)).toEqual(before);
    expect(readFileSync(join(folder, "specs/common/database.yaml"), "utf8")).toContain("DatabaseScope:");
  });

  test.each(["read_file", "mcp__x", "a b", "tool_search"])("to %s is refused", async (newName) => {
    const folder = project({
      "hasp.config.yaml": "specs: [specs]\n",
      "specs/a.tools.yaml":
        "hasp: 1\ntools:\n  - { name: greet, description: Say hello., input: { type: object, properties: {} } }\n" +
        "  - { name: read_file, description: Read., input: { type: object, properties: {} } }\n",
    });
    const editor = await editorIn(folder);
    const request = ask(editor, "rename", { ...editor.at("specs/a.tools.yaml", "greet", 2), newName });
    await expect(request).rejects.toThrow(/cannot be the name|already/u);
  });
});

describe("an action", () => {
  test("fixes, and the finding is gone", async () => {
    const folder = project({
      "hasp.config.yaml": "specs: [specs]\n",
      "specs/a.tool.yaml":
        "hasp: 1\r\nname: greet\r\ndescription: Say hello. Use it to greet. # 👋🏽\r\ninput: { type: object, properties: {}, required: [] }\r\n" +
        "# hasp-ignore naming/vague-name -- it is not vague\r\ntags: [a]\r\n",
    });
    const editor = await editorIn(folder);
    const found = await actions(editor, "specs/a.tool.yaml", "# hasp-ignore");
    const fix = found.get("Fix check/unused-silence");
    expect(fix?.isPreferred).toBe(true);
    apply(editor, folder, fix?.edit ?? {});
    expect((await check(folder)).join()).not.toContain("unused-silence");
    expect(readFileSync(join(folder, "specs/a.tool.yaml"), "utf8")).toContain("greet. # 👋🏽\r\n");
  });

  test("suppresses, and asks for the reason", async () => {
    const other = project({
      "hasp.config.yaml": "specs: [specs]\n",
      "specs/do.tool.yaml":
        "hasp: 1\nname: do_it\ndescription: Do it well. Use it to do it.\ninput: { type: object, properties: { k: { type: string, description: What. } } }\n",
    });
    const second = await editorIn(other);
    const found = await actions(second, "specs/do.tool.yaml", "k: {");
    const suppress = [...found.values()].find(({ title }) => title.startsWith("Suppress"));
    expect(suppress?.title).toBe("Suppress naming/one-letter-parameter here: write the reason");
    apply(second, other, suppress?.edit ?? {});
    expect((await check(other)).join()).toContain("check/silence-without-reason");
    const text = readFileSync(join(other, "specs/do.tool.yaml"), "utf8");
    writeFileSync(join(other, "specs/do.tool.yaml"), text.replace(/-- $/mu, "-- it is the customer's own name"));
    expect((await check(other)).join()).not.toMatch(/silence|one-letter/u);
  });

  test("approves, and asks for the reason", async () => {
    const folder = project({
      "hasp.config.yaml": "specs: [specs]\n",
      "specs/a.tool.yaml":
        "hasp: 1\nname: get_time\ndescription: Say what time it is. Use it to tell the time.\ninput: { type: object, properties: {} }\nconcurrency: { class: READ_ONLY }\nbehavior: { isOpenWorld: false }\n",
    });
    const editor = await editorIn(folder);
    for (const claim of ["concurrency.class: READ_ONLY", "behavior.isOpenWorld: false"]) {
      await editor.settle("hasp.config.yaml");
      await editor.connection.sendNotification("workspace/didChangeWatchedFiles", {
        changes: [{ uri: editor.uriOf("hasp-ledger/get_time.yaml"), type: 2 }],
      });
      const found = await actions(editor, "specs/a.tool.yaml", claim.split(".")[1] ?? "");
      apply(editor, folder, found.get(`Approve ${claim}: write the reason`)?.edit ?? {});
      expect((await check(folder)).join()).toContain('needs a string "reason"');
      const ledger = join(folder, "hasp-ledger/get_time.yaml");
      writeFileSync(
        ledger,
        readFileSync(ledger, "utf8").replace('reason: ""', "reason: It only reads a clock, hasp__reason."),
      );
    }
    expect((await check(folder)).filter((finding) => finding.includes(" ledger/"))).toEqual([]);
  });

  test("shows in CI that it could approve, and why it does not; and says what clients do to a tool", async () => {
    const folder = project({
      "hasp.config.yaml": "specs: [specs]\ndialects: [mcp]\nclients: [claude-code]\n",
      "specs/a.tool.yaml": `hasp: 1\nname: get_time\ndescription: ${"Say what time it is. ".repeat(200)}\ninput: { type: object, properties: {} }\nconcurrency: { class: READ_ONLY }\n`,
    });
    const editor = await editorIn(folder, undefined, { CI: "true" });
    await editor.settle("hasp.config.yaml");
    const found = await actions(editor, "specs/a.tool.yaml", "READ_ONLY");
    const offered = found.get("Approve concurrency.class: READ_ONLY: write the reason");
    expect(offered).toMatchObject({ disabled: { reason: "CI is set here: only a person can approve a claim." } });
    expect(offered).not.toHaveProperty("edit");
    const lenses = await ask<CodeLens[]>(editor, "codeLens", {
      textDocument: { uri: editor.uriOf("specs/a.tool.yaml") },
    });
    expect(lenses[1]?.command?.title).toMatch(/^mcp \d+ · Claude Code cuts /u);
    const shown = editor.shown("specs/a.tool.yaml").map(({ severity }) => severity ?? 0);
    expect(shown).toEqual(shown.toSorted());
    expect(new Set(shown).size).toBeGreaterThan(1);
  });

  test("covers at most twenty findings of a selection", async () => {
    const properties = Array.from({ length: 60 }, (_, index) => `    p${index}: { type: string, maxLength: 9 }\n`).join(
      "",
    );
    const folder = project({
      "hasp.config.yaml": "specs: [specs]\n",
      "specs/a.tool.yaml": `hasp: 1\nname: get_time\ndescription: Say the time. Use it to tell the time.\ninput:\n  type: object\n  properties:\n${properties}`,
    });
    const editor = await editorIn(folder);
    await editor.open("specs/a.tool.yaml");
    const { textDocument } = editor.at("specs/a.tool.yaml", "hasp");
    const range = { start: { line: 0, character: 0 }, end: { line: 70, character: 0 } };
    const found = await ask<CodeAction[]>(editor, "codeAction", { textDocument, range, context: { diagnostics: [] } });
    const places = new Set(found.map(({ diagnostics = [] }) => JSON.stringify(diagnostics)));
    expect(places.size).toBeGreaterThan(10);
    expect(places.size).toBeLessThanOrEqual(20);
  });

  test.each([
    ["a flow list", "tests: [{ input: { mode: write }, expect: { class: UNSAFE } }]\n"],
    ["a block list", "tests:\n  - input: { mode: write }\n    expect: { class: UNSAFE }\n"],
    ["no list", ""],
  ])("adds a test to %s", async (_name, tests) => {
    const folder = project({
      "hasp.config.yaml": "specs: [specs]\n",
      "specs/a.tool.yaml": `hasp: 1\nname: get_time\ndescription: Say the time. Use it to tell the time.\ninput: { type: object, required: [mode], properties: { mode: { enum: [read, write], description: How. } } }\nconcurrency:\n  rules:\n    - { when: input.mode == 'read', class: READ_ONLY } # keeps its place\n${tests}`,
    });
    const editor = await editorIn(folder);
    const found = await actions(editor, "specs/a.tool.yaml", "when: input.mode");
    apply(editor, folder, found.get("Add a test that reaches this row")?.edit ?? {});
    const text = readFileSync(join(folder, "specs/a.tool.yaml"), "utf8");
    expect(text).toContain("input: { mode: read }, expect: { class: READ_ONLY }");
    expect((await check(folder)).join()).not.toMatch(/untested-row|load\//u);
  });
});
