// Branches of a real Git repository, merged: nobody edits a generated file.
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type OutputFile, CompileCache } from "@hasp/compiler";
import { compile } from "@hasp/project/built-in";
import { completePlan } from "@hasp/compiler/model";
import { checkFiles } from "@hasp/project/output";
import { bin, hasp, haspJson, minimalSpec, project, put, tree } from "./command-line.js";
import { isSample } from "../sample.js";

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

/** A repository with three tools on `main`, and branches on which changes were made and built. */
async function repository(
  attributes: "ours" | "none",
  branches: Readonly<Record<string, (folder: string) => void>>,
): Promise<string> {
  const folder = project();
  git(folder, "init", "--quiet", "--initial-branch", "main");
  await hasp(folder, ["init"]);
  adds("look_up", "read_it", "view_all")(folder);
  if (attributes === "none") put(folder, { ".gitattributes": "" });
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

test("two branches that add tools in different places merge into what a build writes", async () => {
  const folder = await repository("none", { left: adds("find_a"), right: adds("send_b") });
  expect(merge(folder, "left")).not.toContain("CONFLICT");
  expect(generated(folder)).toEqual(await fromNothing(folder));
  expect((await hasp(folder, ["build", "--check"])).code).toBe(0);
});

test("the hook of init builds what two branches give together, so that their merge passes", async () => {
  const folder = await repository("ours", { left: adds("find_a"), right: adds("find_c") });
  await hasp(folder, ["init", "--hook"]);
  const npx = `#!/bin/sh\nshift 2\nexec "${process.execPath}" "${bin}" "$@"\n`;
  const programs = project({ npx });
  chmodSync(join(programs, "npx"), 0o755);
  commit(folder);
  git(folder, "config", "core.hooksPath", ".githooks");
  const env = { ...process.env, ...identity, PATH: [programs, process.env["PATH"] ?? ""].join(delimiter) };
  const merging = spawnSync("git", ["merge", "--quiet", "--no-edit", "left"], { cwd: folder, env, encoding: "utf8" });
  expect([merging.status, merging.stderr]).toEqual([
    1,
    expect.stringContaining("To finish the merge, run: git commit"),
  ]);
  git(folder, "commit", "--quiet", "--no-edit", "--no-verify");
  expect(git(folder, "status", "--porcelain")).toBe("");
  expect(git(folder, "log", "-1", "--format=%p").trim().split(" ")).toHaveLength(2);
  expect((await hasp(folder, ["build", "--check"])).code).toBe(0);
});

describe.each(["ours", "none"] as const)(
  "two branches that add tools in the same place, attributes: %s",
  (attributes) => {
    test("merge; a build writes what a build from nothing writes", async () => {
      const folder = await repository(attributes, {
        left: adds("find_a", "merge_b"),
        right: adds("find_c", "merge_d"),
      });
      const printed = merge(folder, "left");

      expect(printed.includes("CONFLICT")).toBe(attributes === "none");
      expect(generated(folder).some(([, text]) => text.includes("<<<<<<<"))).toBe(attributes === "none");
      const check = await haspJson(folder, ["build", "--check"]);
      expect(check.code).toBe(1);
      const errors = check.diagnostics.filter(({ severity }) => severity === "error");
      const codes = errors.map(({ code }) => code);
      if (attributes === "none") expect([...new Set(codes)]).toEqual(["drift/conflicted"]);
      else expect(codes).toEqual(["drift/outdated"]);
      expect(errors[0]?.help).toContain("`hasp build`");
      const annotations = (await hasp(folder, ["build", "--check", "--format", "github"])).out.match(/^::error/gmu);
      expect(annotations).toHaveLength(codes.length);

      await build(folder);
      commit(folder);
      expect(git(folder, "status", "--porcelain")).toBe("");
      expect(generated(folder)).toEqual(await fromNothing(folder));
      expect((await hasp(folder, ["build", "--check"])).code).toBe(0);
    });

    test("`hasp build --clean` after the merge removes everything generated, and nothing of the user's", async () => {
      const folder = await repository(attributes, { left: adds("find_a"), right: adds("find_c") });
      merge(folder, "left");
      const run = await hasp(folder, ["build", "--clean"]);
      expect([run.code, run.out]).toEqual([0, expect.not.stringContaining("kept")]);
      expect(generated(folder)).toEqual([]);
      expect(Object.keys(tree(folder))).toContain("src/tools/find-a.ts");
    });
  },
);

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

/** The numbers of branches, and of pairs of them that are merged. */
const [BRANCHES, PAIRS] = isSample ? [3, 4] : [7, 40];

describe("random pairs of branches", () => {
  const VERBS = [
    "add",
    "check",
    "close",
    "copy",
    "find",
    "get",
    "list",
    "move",
    "open",
    "read",
    "send",
    "stop",
    "view",
    "wipe",
  ];
  const NOUNS = ["account", "badge", "card", "device", "event", "file", "group", "image", "label", "note", "team"];
  const names = VERBS.flatMap((verb) => NOUNS.map((noun) => `${verb}_${noun}`));
  const plan = completePlan({ dialects: ["anthropic", "gemini", "mcp", "openai-responses"], unlocked: true });
  const cache = new CompileCache();
  type Specs = Readonly<Record<string, string>>;
  const filesOf = async (specs: Specs): Promise<readonly OutputFile[]> => {
    const sources = Object.entries(specs).map(([uri, text]) => ({ uri, text, role: "spec" as const }));
    return (await compile(sources, plan, { cache })).files;
  };
  const uriOf = (name: string): string => `specs/${name}.tool.yaml`;
  const merged = (left: Specs, right: Specs, base: Specs): Specs => {
    const uris = [...new Set([...Object.keys(left), ...Object.keys(right)])].toSorted();
    return Object.fromEntries(
      uris.map((uri) => [uri, (left[uri] === base[uri] ? right[uri] : left[uri]) ?? left[uri] ?? ""]),
    );
  };

  test.each([
    ["each add a tool to 10", 10, false],
    ["each change a tool of 40", 40, true],
    ["each add a tool to 129, whose specs share modules", 129, false],
  ] as const)(
    "branches that %s merge, and pass a check or fail with the word to build",
    async (_, size, isChange) => {
      const random =
        fc.sample(fc.shuffledSubarray(names, { minLength: names.length }), { numRuns: 1, seed: 1 })[0] ?? [];
      const specs = (some: readonly string[]): Specs =>
        Object.fromEntries(some.toSorted().map((name) => [uriOf(name), minimalSpec(name)]));
      const base = specs(random.slice(0, size));
      const variants = (isChange ? random.slice(0, BRANCHES) : random.slice(size, size + BRANCHES)).map(
        (name): Specs => ({
          ...base,
          [uriOf(name)]: minimalSpec(name, isChange ? "owner: billing\n" : ""),
        }),
      );
      const folder = project({ ".gitattributes": "/src/generated/** linguist-generated merge=union\n" });
      git(folder, "init", "--quiet", "--initial-branch", "main");
      const commitBuild = async (of: Specs): Promise<void> => {
        put(folder, { ...of, ...Object.fromEntries((await filesOf(of)).map(({ path, text }) => [path, text])) });
        commit(folder);
      };
      await commitBuild(base);
      for (const [index, variant] of variants.entries()) {
        git(folder, "checkout", "--quiet", "-b", `branch-${index}`, "main");
        await commitBuild(variant);
      }
      const pairs = fc.sample(fc.shuffledSubarray([...variants.keys()], { minLength: 2, maxLength: 2 }), {
        numRuns: PAIRS,
        seed: 1,
      }) as [number, number][];
      const counts = { conflict: 0, outdated: 0, passed: 0 };
      for (const [left, right] of pairs) {
        git(folder, "checkout", "--quiet", "--detach", `branch-${left}`);
        if (merge(folder, `branch-${right}`).includes("CONFLICT")) {
          counts.conflict += 1;
          git(folder, "merge", "--abort");
          continue;
        }
        const both = merged(variants[left] ?? {}, variants[right] ?? {}, base);
        const found = checkFiles(await filesOf(both), { root: folder, outDir: "src/generated" });
        const errors = found.diagnostics.filter(({ severity }) => severity === "error");
        expect(errors.filter(({ code, help }) => code !== "drift/outdated" || !help?.includes("`hasp build`"))).toEqual(
          [],
        );
        expect(errors.length).toBeLessThanOrEqual(1);
        // One build is all that is left to do.
        const built = await filesOf(both);
        put(folder, Object.fromEntries(built.map(({ path, text }) => [path, text])));
        const after = checkFiles(built, { root: folder, outDir: "src/generated" });
        expect(after.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
        git(folder, "reset", "--quiet", "--hard");
        counts[errors.length === 0 ? "passed" : "outdated"] += 1;
      }
      expect(counts.conflict).toBe(0);
      expect(counts.passed).toBeGreaterThanOrEqual(PAIRS * (isSample ? 0.5 : 0.9));
    },
    300_000,
  );
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
