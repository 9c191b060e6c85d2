// Branches of a real Git repository, merged: nobody edits a generated file.
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hasp, haspJson, minimalSpec, project, put, tree } from "./command-line.js";

const identity = { GIT_AUTHOR_NAME: "a", GIT_AUTHOR_EMAIL: "a@b", GIT_COMMITTER_NAME: "a", GIT_COMMITTER_EMAIL: "a@b" };

function git(folder: string, ...words: readonly string[]): string {
  const env = { ...process.env, ...identity, GIT_CONFIG_GLOBAL: "", GIT_CONFIG_SYSTEM: "" };
  return execFileSync("git", words, { cwd: folder, env, encoding: "utf8", stdio: "pipe" });
}

/** Merges a branch; conflicts are no failure of the test. */
function merge(folder: string, branch: string): string {
  const env = { ...process.env, ...identity, GIT_CONFIG_GLOBAL: "", GIT_CONFIG_SYSTEM: "" };
  return spawnSync("git", ["merge", "--quiet", branch], { cwd: folder, env, encoding: "utf8" }).stdout;
}

function commit(folder: string): void {
  git(folder, "add", "-A");
  git(folder, "commit", "--quiet", "--message", "work");
}

async function build(folder: string): Promise<void> {
  const run = await hasp(folder, ["build"]);
  expect(run.code, run.out).toBe(0);
}

/** A repository with one tool on `main`, and branches on which changes were made and built. */
async function repository(
  attributes: "ours" | "none" | "union",
  branches: Readonly<Record<string, (folder: string) => void>>,
): Promise<string> {
  const folder = project();
  git(folder, "init", "--quiet", "--initial-branch", "main");
  git(folder, "config", "merge.renames", "false");
  await hasp(folder, ["init"]);
  put(folder, { "specs/look_up.tool.yaml": minimalSpec("look_up") });
  if (attributes !== "ours") {
    put(folder, { ".gitattributes": attributes === "none" ? "" : "/src/generated/** merge=union\n" });
  }
  await build(folder);
  commit(folder);
  for (const [name, change] of Object.entries(branches)) {
    git(folder, "checkout", "--quiet", "-b", name, "main");
    change(folder);
    await build(folder);
    commit(folder);
  }
  return folder;
}

const adds =
  (...names: readonly string[]) =>
  (folder: string): void => {
    for (const name of names) put(folder, { [`specs/${name}.tool.yaml`]: minimalSpec(name) });
  };

const generated = (folder: string): readonly (readonly [string, string])[] =>
  Object.entries(tree(folder)).filter(([path]) => path.startsWith("src/generated/"));

/** Builds the same specs from nothing. */
async function fromNothing(folder: string): Promise<readonly (readonly [string, string])[]> {
  const sources = Object.entries(tree(folder)).filter(([path]) => /^(?:specs|hasp)/u.test(path));
  const clone = project(Object.fromEntries(sources));
  await build(clone);
  return generated(clone);
}

describe.each(["ours", "none", "union"] as const)("two branches that each add tools, attributes: %s", (attributes) => {
  test("merge; a build writes what a build from nothing writes", async () => {
    const folder = await repository(attributes, { left: adds("find_a", "merge_b"), right: adds("find_c", "merge_d") });
    const printed = merge(folder, "left");

    expect(printed.includes("CONFLICT")).toBe(attributes !== "union");
    expect(generated(folder).some(([, text]) => text.includes("<<<<<<<"))).toBe(attributes === "none");
    const check = await haspJson(folder, ["build", "--check"]);
    expect(check.code).toBe(1);
    const codes = new Set(check.diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code));
    expect([...codes]).toEqual([attributes === "none" ? "drift/conflicted" : "drift/outdated"]);
    expect(check.diagnostics.find(({ code }) => codes.has(code))?.help).toContain("`hasp build`");

    await build(folder);
    commit(folder);
    expect(git(folder, "status", "--porcelain")).toBe("");
    expect(generated(folder)).toEqual(await fromNothing(folder));
    expect((await hasp(folder, ["build", "--check"])).code).toBe(0);
  });

  test("are cleaned after the merge: nothing generated is left, nothing of the user's is gone", async () => {
    const folder = await repository(attributes, { left: adds("find_a"), right: adds("find_c") });
    merge(folder, "left");
    const run = await hasp(folder, ["clean"]);
    expect([run.code, run.out]).toEqual([0, expect.not.stringContaining("kept")]);
    expect(generated(folder)).toEqual([]);
    expect(Object.keys(tree(folder))).toContain("src/tools/find-a.ts");
  });
});

test("a tool that one branch drops and the other changes is gone after the next build", async () => {
  const folder = await repository("ours", {
    left: (root) => put(root, { "specs/look_up.tool.yaml": minimalSpec("look_up", "owner: billing\n") }),
    right: (root) => {
      git(root, "rm", "--quiet", "specs/look_up.tool.yaml");
      adds("find_c")(root);
    },
  });
  merge(folder, "left");
  git(folder, "rm", "--quiet", "--ignore-unmatch", "specs/look_up.tool.yaml");
  await build(folder);
  expect(generated(folder)).toEqual(await fromNothing(folder));
});

test("changes of two branches to two tools conflict, and a build settles them", async () => {
  const owner = (name: string) => (folder: string) =>
    put(folder, { [`specs/${name}.tool.yaml`]: minimalSpec(name, `owner: ${name}\n`) });
  const folder = await repository("ours", { base: adds("read_a", "read_b", "read_c") });
  for (const name of ["read_a", "read_c"]) {
    git(folder, "checkout", "--quiet", "-b", name, "base");
    owner(name)(folder);
    await build(folder);
    commit(folder);
  }
  expect(merge(folder, "read_a")).toContain("CONFLICT");
  await build(folder);
  commit(folder);
  expect(generated(folder)).toEqual(await fromNothing(folder));
  expect((await hasp(folder, ["build", "--check"])).code).toBe(0);
});

const conflict = (text: string): string => {
  const [first = "", ...rest] = text.split("\n");
  return [first, "<<<<<<< HEAD", rest.join("\n"), "=======", rest.join("\n"), ">>>>>>> left", ""].join("\n");
};

test.each([
  ["specs/look_up.tool.yaml", minimalSpec("look_up")],
  ["specs/other.tool.json", "{\n}\n"],
  ["hasp.config.yaml", "specs: [specs]\n"],
  ["hasp-ledger/look_up.yaml", "hasp: 1\n"],
  ["hasp-templates/stub/handler.ts", "// mine\n"],
])("a conflict in %s is called one, with its line", async (path, text) => {
  const folder = project({ "specs/look_up.tool.yaml": minimalSpec("look_up"), [path]: conflict(text) });
  const { code, diagnostics } = await haspJson(folder, ["check"]);
  expect(code).not.toBe(0);
  expect(diagnostics.filter(({ severity }) => severity === "error")).toMatchObject([
    { code: "load/merge-conflict", uri: path, line: 2, help: expect.stringContaining("<<<<<<<") },
  ]);
});

test("a configuration in TypeScript with a conflict is called one", async () => {
  const folder = project({
    "specs/look_up.tool.yaml": minimalSpec("look_up"),
    "hasp.config.ts": conflict('export default {\n  specs: ["specs"],\n};\n'),
  });
  const { diagnostics } = await haspJson(folder, ["check"]);
  expect(diagnostics).toMatchObject([{ code: "load/merge-conflict", uri: "hasp.config.ts", line: 2 }]);
});

test.each(["package.json", ".gitattributes", ".vscode/settings.json", ".github/CODEOWNERS"])(
  "`init` leaves a %s with a conflict as it is, and says so",
  async (path) => {
    const text = conflict('{\n  "a": 1\n}\n');
    const folder = project({ [path]: text });
    const { code, diagnostics } = await haspJson(folder, ["init"]);
    expect(code).toBe(2);
    expect(diagnostics).toMatchObject([
      { code: "cli/cannot-write", message: expect.stringContaining("merge conflict") },
    ]);
    expect(readFileSync(join(folder, path), "utf8")).toBe(text);
  },
);
