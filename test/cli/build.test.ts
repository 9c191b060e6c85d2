import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { declaredFindings } from "../../packages/hasp/src/cli/show/explain.js";
import { hasp, haspJson, minimalSpec, project, put, tree } from "./command-line.js";

const config = "specs: [specs]\ndialects: [anthropic, openai-responses, mcp]\n";
const files = {
  "hasp.config.yaml": config,
  "specs/a.tool.yaml": minimalSpec("a"),
  "specs/b.tool.yaml": minimalSpec("b"),
};

async function built(more: Readonly<Record<string, string>> = {}): Promise<string> {
  const folder = project({ ...files, ...more });
  const run = await hasp(folder, ["build"]);
  expect([run.code, run.error]).toEqual([0, ""]);
  return folder;
}

/** Paths and times of all generated files: what a build must leave alone keeps both. */
function times(folder: string): Readonly<Record<string, number>> {
  const paths = Object.keys(tree(folder)).filter((path) => path.startsWith("src/"));
  return Object.fromEntries(paths.map((path) => [path, statSync(join(folder, path)).mtimeMs]));
}

describe("hasp build", () => {
  test("prints tools, dialects, relaxations, losses, files and time", async () => {
    const run = await hasp(project(files), ["build"]);
    expect(run.out).toMatch(/^✓ 2 tools: 2 UNSAFE\n {2}Nothing loosens a fail-closed default\.\n/m);
    expect(run.out).toMatch(/^ {2}dialect +listed +deferred +ask a person +strict +excluded +losses$/m);
    expect(run.out).toMatch(/^ {2}anthropic +2 +0 +2 +\d +0 +\d+$/m);
    expect(run.out).toMatch(/^ {2}\d+ files written, 0 unchanged, \d+ ms\n$/m);
  });

  test("a second build touches nothing; a handler is never touched again", async () => {
    const folder = await built();
    const handler = Object.keys(tree(folder)).find((path) => path.startsWith("src/tools/a"));
    put(folder, { [handler ?? ""]: "// mine\n" });
    const before = times(folder);
    const again = await haspJson(folder, ["build"]);
    expect(again.code).toBe(0);
    expect(again.summary["files"]).toMatchObject({ created: [], updated: [], deleted: [] });
    expect(times(folder)).toEqual(before);
    expect(tree(folder)[handler ?? ""]).toBe("// mine\n");
  });

  test("says once which settings of TypeScript cannot work, and not when it checks", async () => {
    const folder = project({
      ...files,
      "tsconfig.json": '{ "compilerOptions": { "moduleResolution": "classic" } }',
      "node_modules/typescript/package.json": '{ "name": "typescript", "version": "5.4.5" }',
    });
    const codes = async (...words: readonly string[]): Promise<readonly string[]> => {
      const { code, diagnostics } = await haspJson(folder, words);
      expect(code).toBe(0);
      return diagnostics.map((finding) => finding.code).filter((each) => each.startsWith("write/"));
    };
    expect(await codes("build")).toEqual(["write/old-typescript", "write/blind-resolution"]);
    expect(await codes("build")).toEqual([]);
    expect(await codes("build", "--check")).toEqual([]);
  });

  test("--dry-run says what it would do and does nothing", async () => {
    const folder = project(files);
    const before = tree(folder);
    const run = await hasp(folder, ["build", "--dry-run"]);
    expect(run.code).toBe(0);
    expect(run.out).toMatch(/^ {2}make {4}src\/generated\/registry\.ts$/m);
    expect(tree(folder)).toEqual(before);
  });

  test("a tool that is gone takes its generated files with it, but not its handler", async () => {
    const folder = await built();
    rmSync(join(folder, "specs/b.tool.yaml"));
    expect((await haspJson(folder, ["build"])).code).toBe(0);
    const paths = Object.keys(tree(folder));
    expect(paths).not.toContain("src/generated/tools/b.ts");
    expect(paths).toContain("src/tools/b.ts");
  });

  test("--quiet prints nothing where nothing is wrong", async () => {
    expect(await hasp(await built(), ["build", "--quiet"])).toEqual({ code: 0, out: "", error: "" });
  });

  test("the same bytes from anywhere", async () => {
    const folder = await built();
    const other = project(files);
    expect((await hasp(folder, ["build", "--cwd", other])).code).toBe(0);
    expect(tree(other)).toEqual(tree(folder));
    const third = project(files);
    expect((await hasp(folder, ["build", "--config", join(third, "hasp.config.yaml")])).code).toBe(0);
    expect(tree(third)).toEqual(tree(folder));
  });
});

describe("hasp build --check", () => {
  test("is clean after a build, also in a checkout with CRLF, and writes nothing", async () => {
    const folder = await built();
    expect(await haspJson(folder, ["build", "--check"])).toMatchObject({
      code: 0,
      summary: { drift: [] },
    });
    const generated = Object.entries(tree(folder)).filter(([path]) => path.startsWith("src/generated/"));
    put(folder, Object.fromEntries(generated.map(([path, text]) => [path, text.replaceAll("\n", "\r\n")])));
    const before = tree(folder);
    expect(await haspJson(folder, ["build", "--check"])).toMatchObject({ code: 0, summary: { drift: [] } });
    expect(tree(folder)).toEqual(before);
  });

  test("finds a hand edit, shows the difference and the remedy, and gives 1", async () => {
    const folder = await built();
    const path = "src/generated/specs/a.ts";
    const text = tree(folder)[path] ?? "";
    put(folder, { [path]: text.replace("Look one record up", "Delete everything") });
    const run = await hasp(folder, ["build", "--check"]);
    expect(run.code).toBe(1);
    expect(run.out).toContain(`"${path}" was edited by hand.`);
    expect(run.out).toMatch(/^-.*Delete everything/m);
    expect(run.out).toMatch(/^\+.*Look one record up/m);
    expect(run.out).toContain("Run `hasp build` to update them.");
    const line = text.split("\n").findIndex((each) => each.includes("Look one record up")) + 1;
    expect(await haspJson(folder, ["build", "--check"])).toMatchObject({
      code: 1,
      diagnostics: expect.arrayContaining([
        expect.objectContaining({ code: "drift/edited", uri: path, line, column: 1 }),
      ]),
      summary: { drift: expect.arrayContaining([{ path, kind: "edited" }]) },
    });
    expect((await haspJson(folder, ["build"])).code).toBe(0);
    expect(tree(folder)[path]).toBe(text);
  });

  test("finds a changed spec and a file that is missing", async () => {
    const folder = await built();
    put(folder, { "specs/a.tool.yaml": minimalSpec("a").replace("Which record", "Which one") });
    rmSync(join(folder, "src/generated/registry.ts"));
    const run = await haspJson(folder, ["build", "--check"]);
    expect(run.code).toBe(1);
    const drift = new Map(
      (run.summary["drift"] as readonly { path: string; kind: string }[]).map(({ path, kind }) => [path, kind]),
    );
    expect(drift.get("src/generated/registry.ts")).toBe("missing");
    expect(drift.get("src/generated/tools/a.ts")).toBe("outdated");
    expect(drift.has("src/generated/tools/b.ts")).toBe(false);
  });

  test("leaves no difference unescaped", async () => {
    const folder = await built();
    const path = "src/generated/specs/a.ts";
    put(folder, { [path]: `${tree(folder)[path]}// \u001b[2J\n` });
    const run = await hasp(folder, ["build", "--check"]);
    expect(run.code).toBe(1);
    expect(run.out).not.toContain("\u001b");
  });
});

describe("formats and thresholds", () => {
  const bad = { ...files, "specs/c.tool.yaml": `${minimalSpec("c")}nonsense: 1\n` };

  test.each(["pretty", "json", "github", "junit", "sarif", "markdown"])(
    "--format %s shows the finding and gives 1",
    async (format) => {
      const run = await hasp(project(bad), ["check", "--format", format]);
      expect(run.code).toBe(1);
      expect(run.out).toContain("resolve/unknown-key");
      expect(run.error).toBe("");
    },
  );

  test("places are relative to where hasp was started", async () => {
    const folder = project(Object.fromEntries(Object.entries(bad).map(([path, text]) => [`agent/${path}`, text])));
    expect((await hasp(folder, ["check", "--cwd", "agent", "--format", "github"])).out).toMatch(
      /^::error file=agent\/specs\/c\.tool\.yaml,line=12,/m,
    );
    expect((await hasp(folder, ["check", "--cwd", "agent"])).out).toContain("agent/specs/c.tool.yaml");
  });

  test("--max-warnings makes too many warnings a failure", async () => {
    const folder = project({
      ...files,
      "specs/c.tool.yaml": minimalSpec("c").replace(", description: Which record.", ""),
    });
    const { diagnostics } = await haspJson(folder, ["check"]);
    const warnings = diagnostics.filter(({ severity }) => severity === "warning").length;
    expect(warnings).toBeGreaterThan(0);
    expect((await hasp(folder, ["check", "--max-warnings", String(warnings)])).code).toBe(0);
    expect((await hasp(folder, ["check", "--max-warnings", String(warnings - 1)])).code).toBe(1);
    expect((await hasp(folder, ["check", "--quiet"])).out).toBe("");
  });

  test("colours are for terminals, and for those who force them", async () => {
    const folder = project(bad);
    expect((await hasp(folder, ["check"])).out).not.toContain("\u001b");
    expect((await hasp(folder, ["check"], { FORCE_COLOR: "1" })).out).toContain("\u001b[31m");
    expect((await hasp(folder, ["check", "--format", "json"], { FORCE_COLOR: "1" })).out).not.toContain("\u001b");
  });
});

describe("hasp test", () => {
  const tested = (expected: string): string =>
    minimalSpec(
      "c",
      `tests:\n  - { input: { id: x }, expect: { ${expected} } }\n  - { input: { id: "" }, expect: { invalid: /id } }\n`,
    );

  test("counts what passed, and names what has no test", async () => {
    const folder = project({ ...files, "specs/c.tool.yaml": tested("class: UNSAFE, isDestructive: true") });
    const run = await hasp(folder, ["test"]);
    expect([run.code, run.out]).toEqual([0, "2 of 2 tests passed\nWithout a test: a, b\n"]);
    expect((await haspJson(folder, ["test", "c"])).summary).toMatchObject({
      tools: 1,
      passed: 2,
      failed: 0,
      skipped: 0,
      untested: [],
    });
  });

  test("names the first of many without a test, and all of them to programs", async () => {
    const names = Array.from({ length: 23 }, (_, index) => `tool_${String.fromCharCode(97 + index)}`);
    const folder = project({
      "hasp.config.yaml": "specs: [specs]\n",
      ...Object.fromEntries(names.map((name) => [`specs/${name}.tool.yaml`, minimalSpec(name)])),
    });
    expect((await hasp(folder, ["test"])).out).toContain(
      `Without a test: ${names.slice(0, 20).join(", ")} and 3 more\n`,
    );
    expect((await haspJson(folder, ["test"])).summary).toMatchObject({ untested: names });
  });

  test("shows a test that fails in its own line, and lists all in JUnit", async () => {
    const folder = project({ ...files, "specs/c.tool.yaml": tested("class: READ_ONLY") });
    const run = await haspJson(folder, ["test"]);
    expect(run).toMatchObject({ code: 1, diagnostics: [{ code: "cli/test-failed", tool: "c", line: 13 }] });
    const junit = await hasp(folder, ["test", "--format", "junit"]);
    expect(junit.code).toBe(1);
    expect(junit.out).toContain('<testsuite name="c" tests="2" failures="1" skipped="0">');
  });

  test("an unknown tool gives 2", async () => {
    expect(await haspJson(project(files), ["test", "z"])).toMatchObject({
      code: 2,
      diagnostics: [{ code: "cli/unknown-tool" }],
    });
  });
});

describe("hasp show", () => {
  test("lists the facts about clients with their sources, and those of one", async () => {
    const run = await hasp(project(), ["show", "client:cursor"]);
    expect(run.out).toMatch(/^cursor +nameLength +\{server\}\{tool\}, 59, .*, ComposioHQ\/composio#2788, 2026-02-27$/m);
    expect(run.out).not.toContain("vscode");
    const { data } = await haspJson(project(), ["show", "client:"]);
    expect(data["clients"]).toContainEqual(expect.objectContaining({ id: "vscode" }));
    expect(await haspJson(project(), ["show", "client:cursr"])).toMatchObject({
      code: 2,
      diagnostics: [{ code: "cli/unknown-client", message: expect.stringContaining('Did you mean "cursor"?') }],
    });
  });

  test("lists every rule, and explains one with its examples", async () => {
    const folder = project();
    const { data } = await haspJson(folder, ["show", "rule:"]);
    const rules = data["rules"] as readonly { id: string; summary: string }[];
    expect(rules.length).toBeGreaterThan(8);
    const [first] = rules;
    const run = await hasp(folder, ["show", first?.id ?? ""]);
    expect(run.code).toBe(0);
    expect(run.out).toContain(first?.summary);
    expect(run.out).toMatch(/^Refused$/m);
    expect(run.out).toMatch(/^Accepted$/m);
  });

  test.each([
    [
      "project/no-specs",
      "No tool specs found in <places>, so there is nothing to check.",
      "Spec files are named *.tool.yaml",
    ],
    [
      "load/too-deep",
      "This is nested more than <limit> levels deep",
      "It cannot be suppressed: it is not a style rule",
    ],
    ["ledger/unused-approval", 'Nothing claims "<claim>" any longer.', "hasp approve --prune"],
    [
      "schema/recursive",
      'This schema contains itself; it stays as "#/$defs/<name>".',
      "It is a note: nothing needs to be done.",
    ],
    ["request/tools", "The list has <actual> tools; <dialect> allows <limit>.", "Split it into toolsets."],
    ["diff/self-approved", "Self-approved", "--allow loosens makes it a warning"],
    [
      "diff/no-repository",
      '"<ref>" cannot be a git ref: the project is not in a git repository.',
      "It cannot be suppressed: it is not a style rule",
    ],
  ])("says of %s, which is no rule, what it says and what to do", async (id, sentence, remedy) => {
    const run = await hasp(project(), ["show", id]);
    expect(run.code).toBe(0);
    expect(run.out).toContain(sentence);
    expect(run.out).toContain(remedy);
  });

  test.each([
    ["schema/slow-patern", "schema/slow-pattern"],
    ["load/to-deep", "load/too-deep"],
    ["schema/recursiv", "schema/recursive"],
    ["not-approved", "ledger/not-approved"],
    ["vague-name", "naming/vague-name"],
    ["config/constructor", undefined],
  ])("%s, which nothing is called, gives 2", async (id, meant) => {
    const run = await haspJson(project(), ["show", id]);
    expect(run).toMatchObject({ code: 2, diagnostics: [{ code: "cli/unknown-thing" }] });
    if (meant !== undefined) expect(run.diagnostics[0]?.message).toContain(`Did you mean "${meant}"?`);
  });

  test("knows every finding of the schema package", async () => {
    const folder = resolve(import.meta.dirname, "../../packages/schema/src");
    const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
      (path) => path.endsWith(".ts") && !/\.(?:test|testing)\.ts$/.test(path),
    );
    const modules = await Promise.all(
      paths
        .filter((path) => /(?:^|[\\/])diagnostics\.ts$/.test(path))
        .map(async (path): Promise<object> => import(join(folder, path))),
    );
    const declaring = modules.flatMap((module) => Object.values(module) as unknown[]);
    const names = declaring.flatMap((value) =>
      typeof value === "function" && "definitions" in value ? Object.keys(Object(value.definitions)) : [],
    );
    const own = await Promise.all(["schema", "lower", "request"].map(declaredFindings));
    const ids = own.flatMap((findings) => [...findings.keys()]);
    expect(names.length).toBeGreaterThan(40);
    expect(names.filter((name) => !ids.some((id) => id.endsWith(`/${name}`)))).toEqual([]);
    const used = paths.flatMap((path) =>
      [...readFileSync(join(folder, path), "utf8").matchAll(/"((?:schema|lower|request)\/[a-z-]+)"/g)].map(
        (match) => match[1] ?? "",
      ),
    );
    expect(used.filter((id) => !ids.includes(id))).toEqual([]);
  });

  test("an unknown id gives 2", async () => {
    expect(await haspJson(project(), ["show", "no/rule"])).toMatchObject({
      code: 2,
      diagnostics: [{ code: "cli/unknown-thing" }],
    });
  });
});
