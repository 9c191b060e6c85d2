// One repository, three packages: two whose configurations lie side by side in the root, and one with a folder of its own.
import { execFileSync } from "node:child_process";
import { cpSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { editorIn } from "../lsp/projects.testing.js";
import { hasp, haspJson, minimalSpec, project, put, tree } from "./command-line.js";

const ASKED_BY_NOBODY = "behavior: { isReadOnly: true, isDestructive: false, interruptBehavior: block }\n";

function claimingSpec(name: string): string {
  const tests = "tests: [{ input: { id: x }, expect: { class: UNSAFE } }]\n";
  return minimalSpec(name, tests).replace("behavior: { interruptBehavior: block }\n", ASKED_BY_NOBODY);
}

const files = {
  "package.json": '{ "type": "module" }',
  "hasp.code.yaml":
    "specs: [packages/code/specs]\noutDir: packages/code/src/generated\nhandlers: packages/code/src/tools\ndialects: [anthropic]\n",
  "hasp.data.yaml":
    "specs: [packages/data/specs]\noutDir: packages/data/src/generated\nhandlers: packages/data/src/tools\ndialects: [mcp]\n",
  "packages/code/specs/read_code.tool.yaml": claimingSpec("read_code"),
  "packages/data/specs/read_data.tool.yaml": claimingSpec("read_data"),
  "packages/web/hasp.config.yaml": "specs: [specs]\ndialects: [anthropic]\n",
  "packages/web/specs/read_page.tool.yaml": claimingSpec("read_page"),
  "packages/other/specs/read_other.tool.yaml": minimalSpec("read_other"),
};

const CONFIGS = ["hasp.code.yaml", "hasp.data.yaml", "packages/web/hasp.config.yaml"];

let prepared: Promise<string> | undefined;

/** Copies the repository, in which everything is approved and built. */
async function monorepo(): Promise<string> {
  const root = project();
  cpSync(await (prepared ??= prepare()), root, { recursive: true });
  return root;
}

async function prepare(): Promise<string> {
  const root = project(files);
  for (const config of CONFIGS) {
    const approved = await hasp(root, ["approve", "*", "--yes", "--reason", "It only reads.", "--config", config]);
    expect(approved.code, approved.out).toBe(0);
    expect((await hasp(root, ["build", "--config", config])).code).toBe(0);
  }
  return root;
}

test("asks which configuration is meant, in the root and in a package, and names them", async () => {
  const root = await monorepo();
  for (const command of [["check"], ["build"], ["show"], ["approve", "--prune"]]) {
    const { code, diagnostics } = await haspJson(root, command);
    expect(code).toBe(2);
    expect(diagnostics).toMatchObject([{ code: "cli/which-configuration" }]);
    expect(diagnostics[0]?.message).toContain("hasp.code.yaml, hasp.data.yaml");
  }
  const below = await haspJson(join(root, "packages/code"), ["check"]);
  expect(below.diagnostics[0]?.message).toContain("../../hasp.code.yaml");
  expect((await hasp(root, ["check", "--config", "hasp.code.yaml"])).code).toBe(0);
  expect((await hasp(join(root, "packages/web"), ["check"])).code).toBe(0);
});

test("no approval holds for another tool of its name in a configuration beside", async () => {
  const root = await monorepo();
  const twin = "packages/data/specs/read_code.tool.yaml";
  put(root, { [twin]: claimingSpec("read_code") });
  for (const [config, uri] of [
    ["hasp.data.yaml", twin],
    ["hasp.code.yaml", "packages/code/specs/read_code.tool.yaml"],
  ] as const) {
    expect((await haspJson(root, ["check", "--config", config])).diagnostics).toMatchObject([
      { code: "project/shared-ledger", tool: "read_code", uri },
    ]);
  }
  // Both may name one spec.
  rmSync(join(root, twin));
  const specs = files["hasp.data.yaml"].replace("[", "[packages/code/specs, ");
  put(root, { "hasp.data.yaml": specs });
  expect((await haspJson(root, ["check", "--config", "hasp.data.yaml"])).diagnostics).toEqual([]);
});

test("build --all builds every project, and counts the warnings that check prints", async () => {
  const root = await monorepo();
  const page = "packages/web/specs/read_page.tool.yaml";
  put(root, { [page]: files[page].replace(", description: Which record.", "") });
  expect(
    (await hasp(root, ["approve", "*", "--yes", "--reason", "It only reads.", "--config", CONFIGS[2] ?? ""])).code,
  ).toBe(0);
  const { code, out } = await hasp(root, ["build", "--all"]);
  expect(code, out).toBe(0);
  for (const config of CONFIGS) expect(out).toContain(`${config}\n✓ 1 tool`);
  expect(out).not.toContain("description/undescribed-parameter");
  expect((await hasp(root, ["ci", "--all"])).code).toBe(0);
  expect((await hasp(root, ["build", "--all", "--watch"])).code).toBe(2);
});

test("test --all runs the tests of every project, and names the project of one that fails", async () => {
  const root = await monorepo();
  const passed = await hasp(root, ["test", "--all"]);
  expect(passed.code, passed.out).toBe(0);
  for (const config of CONFIGS) expect(passed.out).toContain(`${config}\n1 of 1 test passed`);
  const page = "packages/web/specs/read_page.tool.yaml";
  put(root, { [page]: files[page].replace("expect: { class: UNSAFE }", "expect: { class: READ_ONLY }") });
  const { code, diagnostics } = await haspJson(root, ["test", "--all"]);
  expect(code).toBe(1);
  expect(diagnostics).toMatchObject([{ code: "cli/test-failed", tool: "read_page", uri: page }]);
});

test("check --all and ci --all check every project, and name files from the common folder", async () => {
  const root = await monorepo();
  const clean = await hasp(root, ["ci", "--all"]);
  expect(clean.code, clean.out).toBe(0);
  for (const config of CONFIGS) expect(clean.out).toContain(`${config}\n`);
  put(root, {
    "packages/data/specs/read_data.tool.yaml": files["packages/data/specs/read_data.tool.yaml"].replace("200", "2x0"),
    "packages/web/specs/read_page.tool.yaml": files["packages/web/specs/read_page.tool.yaml"].replace("100", "1x0"),
  });
  const { code, diagnostics, summary } = await haspJson(root, ["check", "--all"]);
  expect(code).toBe(1);
  expect(new Set(diagnostics.filter(({ severity }) => severity === "error").map(({ uri }) => uri))).toEqual(
    new Set(["packages/data/specs/read_data.tool.yaml", "packages/web/specs/read_page.tool.yaml"]),
  );
  expect(summary).toMatchObject(
    Object.fromEntries(CONFIGS.map((config, index) => [config, { exitCode: index === 0 ? 0 : 1 }])),
  );
  expect((await haspJson(project(), ["check", "--all"])).diagnostics).toMatchObject([{ code: "cli/no-configuration" }]);
  expect((await hasp(root, ["check", "--all", "--config", "hasp.code.yaml"])).code).toBe(2);
});

function commit(root: string, author = "T"): void {
  const identity = ["-c", `user.name=${author}`, "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"];
  for (const words of [
    ["init", "-q"],
    ["add", "-A"],
    [...identity, "commit", "-q", "-m", "x"],
  ]) {
    execFileSync("git", words, { cwd: root });
  }
}

test("ci --all compares every project with a base", async () => {
  const root = await monorepo();
  commit(root);
  put(root, {
    "packages/web/specs/read_page.tool.yaml": minimalSpec("read_page").replace("maxLength: 100", "maxLength: 9"),
  });
  const { code, diagnostics } = await haspJson(root, ["ci", "--all", "--base", "HEAD"]);
  expect(code).toBe(1);
  const broken = diagnostics.filter(({ code: each }) => each === "diff/input-refused");
  expect(broken.map(({ uri }) => uri)).toEqual(["packages/web/specs/read_page.tool.yaml"]);
});

const CONFIG = "specs: [specs]\ndialects: [mcp]\n";

describe("hasp review --all", () => {
  const sharing = (name: string): string =>
    minimalSpec(name).replace(
      "  properties:\n",
      "  properties:\n    owner: { $ref: '../common/owner.yaml#/$defs/Owner', description: Whose. }\n",
    );
  const owner = (most: number): string =>
    `$defs:\n  Owner: { type: string, maxLength: ${most}, pattern: "^[a-z]+$" }\n`;
  const before = {
    "hasp.a.yaml": "specs: [a]\noutDir: gen/a\nhandlers: src/a\ndialects: [mcp]\n",
    "hasp.b.yaml": "specs: [b]\noutDir: gen/b\nhandlers: src/b\ndialects: [mcp]\n",
    "common/owner.yaml": owner(40),
    "a/read_a.tool.yaml": sharing("read_a"),
    "a/read_b.tool.yaml": sharing("read_b"),
    // A tool of the same name in another project.
    "b/read_a.tool.yaml": sharing("read_a"),
    "c/hasp.config.yaml": CONFIG,
    'c/specs/lä"s.tool.yaml': minimalSpec("read_c").replace(", description: Which record.", ""),
    "d/hasp.config.yaml": CONFIG,
    "d/specs/read_d.tool.yaml": minimalSpec("read_d"),
    "gone/hasp.config.yaml": CONFIG,
    "gone/specs/read_e.tool.yaml": minimalSpec("read_e"),
  };

  test("is one review: what loosens and who changed the file, one row per cause, what the base has too as a count", async () => {
    const root = project(before);
    commit(root);
    put(root, {
      "common/owner.yaml": owner(39),
      'c/specs/lä"s.tool.yaml': `${before['c/specs/lä"s.tool.yaml']}concurrency: { class: READ_ONLY }\n`,
      "d/hasp.config.yaml": "specs: [specs]\nnonsense: 1\n",
    });
    rmSync(join(root, "gone"), { recursive: true });
    commit(root, "Ann");
    const run = await hasp(root, ["review", "HEAD~1", "--all", "--out", "page"]);
    expect(run.code).toBe(2);
    expect(run.out).toContain("Not compared with `HEAD~1`: d/hasp.config.yaml: ");
    const headings = run.out.split("\n").filter((line) => line.startsWith("#"));
    expect(headings).toEqual([
      "### hasp: what this change means",
      "#### Loosens safety: 2",
      "#### Breaks callers: 2",
      "#### Found in the specs: 1",
      "#### Changes the prompt only: 4",
      "#### Costs",
    ]);
    const rows = run.out.split("\n").filter((line) => /^\| (?:error|note) /u.test(line));
    expect(rows).toHaveLength(6);
    expect(rows[0]).toContain('"gone/hasp.config.yaml" is gone');
    expect(rows[1]).toContain("File last changed by Ann, according to git.");
    expect(rows[2]).toContain(
      "| error | 3 tools | `common/owner.yaml:2` | **Owner in common/owner.yaml: 3 tools in 2 projects.**",
    );
    expect(run.out).toContain("- hasp.b.yaml: toolset all, mcp: about ");
    expect(run.out).toMatch(/\nAlready in the base: 1 finding. `hasp check` lists all\.\n$/u);
    const pages = Object.keys(tree(join(root, "page")));
    expect(pages).toEqual([
      "c/hasp.config.yaml/index.html",
      "hasp.a.yaml/index.html",
      "hasp.b.yaml/index.html",
      "index.html",
    ]);
    const index = tree(join(root, "page"))["index.html"];
    expect(index).toContain('"tools":["read_a","read_b","read_a"],"projects":["hasp.a.yaml","hasp.b.yaml"]');
  });

  test("ci --all has the same order, and counts what a shared file causes once", async () => {
    const root = project({ ...before, "d/hasp.config.yaml": CONFIG });
    commit(root);
    put(root, { "common/owner.yaml": owner(39) });
    const { out } = await hasp(root, ["ci", "--all", "--base", "HEAD", "--format", "markdown"]);
    expect(out.split("\n").filter((line) => line.includes("`diff/input-refused`"))).toHaveLength(1);
    expect(out).toContain("**Owner in common/owner.yaml: 3 tools in 2 projects.**");
    expect(out).toMatch(/\nAlready in the base: 1 finding. `hasp check` lists all\.\n$/u);
    const pretty = await hasp(root, ["ci", "--all", "--base", "HEAD"]);
    expect(pretty.out).toContain("One cause, 3 tools in 2 projects: read_a and read_b");
    expect(pretty.out).toContain("Already in the base: 1 warning.");
    expect(pretty.out).not.toContain("quality/");
  });
});

test.each([
  ["of another name", "b/hasp.config.yaml", "b/hasp.conf.ya"],
  ["in a hidden folder", "b", ".b"],
])("ci --all fails on a project of the base whose configuration is now %s", async (_what, from, to) => {
  const root = project({
    "a/hasp.config.yaml": CONFIG,
    "a/specs/look_up.tool.yaml": claimingSpec("look_up").replace(ASKED_BY_NOBODY, ""),
    "b/hasp.config.yaml": CONFIG,
    "b/specs/find_it.tool.yaml": claimingSpec("find_it").replace(ASKED_BY_NOBODY, ""),
  });
  for (const config of ["a/hasp.config.yaml", "b/hasp.config.yaml"]) await hasp(root, ["build", "--config", config]);
  commit(root);
  renameSync(join(root, from), join(root, to));
  const { code, diagnostics } = await haspJson(root, ["ci", "--all", "--base", "HEAD"]);
  expect(code).toBe(1);
  expect(diagnostics.filter(({ code: each }) => each === "diff/project-gone")).toEqual([
    expect.objectContaining({ severity: "error", message: expect.stringContaining('"b/hasp.config.yaml" is gone') }),
  ]);
  expect((await hasp(root, ["ci", "--all", "--base", "HEAD", "--allow", "loosens"])).code).toBe(0);
});

test("a comparison in a package whose own configuration is gone does not pass for that of the project above", async () => {
  const root = project({
    "hasp.config.yaml": CONFIG,
    "specs/look_up.tool.yaml": minimalSpec("look_up"),
    "b/hasp.config.yaml": CONFIG,
    "b/specs/find_it.tool.yaml": minimalSpec("find_it"),
  });
  commit(root);
  expect((await hasp(join(root, "b"), ["diff", "HEAD"])).code).toBe(0);
  rmSync(join(root, "b/hasp.config.yaml"));
  expect(await haspJson(join(root, "b"), ["diff", "HEAD"])).toMatchObject({
    code: 1,
    diagnostics: [{ code: "diff/project-gone", message: expect.stringContaining('"b/hasp.config.yaml"') }],
  });
  expect((await hasp(join(root, "b"), ["review", "HEAD"])).out).toContain('"b/hasp.config.yaml" is gone');
  expect((await hasp(root, ["diff", "HEAD"])).code).toBe(0);
});

test("prune removes no approval of another project", async () => {
  const root = await monorepo();
  const before = tree(root);
  expect(Object.keys(before)).toContain("packages/web/hasp-ledger/read_page.yaml");
  for (const config of CONFIGS) {
    const { code, diagnostics } = await haspJson(root, ["check", "--config", config]);
    expect([code, diagnostics]).toEqual([0, []]);
    expect((await hasp(root, ["approve", "--prune", "--config", config])).code).toBe(0);
  }
  expect(tree(root)).toEqual(before);
});

test("refuses two configurations that write to one folder", async () => {
  const root = await monorepo();
  put(root, {
    "hasp.data.yaml": files["hasp.data.yaml"].replace(
      "packages/data/src/generated",
      "packages/code/src/generated/data",
    ),
  });
  for (const config of ["hasp.code.yaml", "hasp.data.yaml"]) {
    const { code, diagnostics } = await haspJson(root, ["build", "--config", config]);
    expect(code).toBe(2);
    expect(diagnostics).toMatchObject([{ code: "project/shared-output", uri: config, line: 2 }]);
  }
});

test("an editor shows the findings of the projects whose specs cover a file, and says where none does", async () => {
  const root = await monorepo();
  const editor = await editorIn(root);
  const paths = ["code/specs/read_code", "data/specs/read_data", "web/specs/read_page"].map(
    (path) => `packages/${path}.tool.yaml`,
  );
  for (const path of paths) {
    await editor.open(path);
    await editor.settle(path);
    expect(editor.shown(path)).toEqual([]);
    const from = editor.textOf(path).indexOf("maxLength");
    await editor.edit(path, from, from + "maxLength".length, "maxLenght");
    await editor.settle(path);
    expect(
      editor
        .shown(path)
        .map(({ message }) => message)
        .join(),
    ).toContain("maxLenght");
    const hover = await editor.connection.sendRequest("textDocument/hover", editor.at(path, "isReadOnly", 2));
    expect(hover).not.toBeNull();
  }
  await editor.open("packages/other/specs/read_other.tool.yaml");
  await editor.settle("packages/other/specs/read_other.tool.yaml");
  expect(editor.shown("packages/other/specs/read_other.tool.yaml")).toMatchObject([
    { code: "project/spec-not-covered", message: expect.stringContaining("hasp.code.yaml, hasp.data.yaml") },
  ]);
});

test("an editor shows the findings of two projects that share a file once, and renames in both", async () => {
  const root = project({
    ...files,
    "hasp.data.yaml": files["hasp.data.yaml"].replace("packages/data/specs", "packages/code/specs"),
  });
  const path = "packages/code/specs/read_code.tool.yaml";
  for (const config of CONFIGS.slice(0, 2)) {
    await hasp(root, ["approve", "*", "--yes", "--reason", "It only reads.", "--config", config]);
    expect((await hasp(root, ["build", "--config", config])).code).toBe(0);
  }
  const editor = await editorIn(root);
  await editor.open(path);
  await editor.settle(path);
  const edit = await editor.connection.sendRequest("textDocument/rename", {
    ...editor.at(path, "read_code", 2),
    newName: "load_code",
  });
  const changes = (edit as { documentChanges: { kind?: string; oldUri?: string; textDocument?: { uri: string } }[] })
    .documentChanges;
  const renamed = changes.flatMap(({ oldUri }) => (oldUri === undefined ? [] : [editor.pathOf(oldUri)]));
  expect(renamed).toContain("packages/code/src/tools/read-code.ts");
  expect(renamed).toContain("packages/data/src/tools/read-code.ts");
  expect(new Set(renamed).size).toBe(renamed.length);
  writeFileSync(join(root, path), editor.textOf(path).replace("hasp: 1", "hasp: 2"));
  await editor.close(path);
  await editor.settle(path);
  expect(editor.shown(path)).toHaveLength(1);
});
