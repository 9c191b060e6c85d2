import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hasp, haspJson, minimalSpec, project, put, tree } from "./command-line.js";

const files = {
  "hasp.config.yaml": "specs: [specs]\ndialects: [anthropic]\n",
  "specs/a.tool.yaml": minimalSpec("a", "tests: [{ input: { id: x }, expect: { class: UNSAFE } }]\n"),
};

function git(folder: string, ...words: readonly string[]): void {
  const { status } = spawnSync(
    "git",
    ["-c", "user.name=T", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false", ...words],
    { cwd: folder },
  );
  expect([words, status]).toEqual([words, 0]);
}

/** A repository that is built, committed and clean. */
async function repository(): Promise<string> {
  const folder = project(files);
  expect((await hasp(folder, ["build"])).code).toBe(0);
  git(folder, "init", "-q", "-b", "main");
  git(folder, "add", "-A");
  git(folder, "commit", "-q", "-m", "x");
  return folder;
}

describe("hasp ci", () => {
  test("is green where everything is, under CI too, and writes nothing", async () => {
    const folder = await repository();
    const before = tree(folder);
    const run = await hasp(folder, ["ci", "--base", "main"], { CI: "true" });
    expect([run.code, run.error]).toEqual([0, ""]);
    for (const step of ["✓ check", "✓ build --check", "✓ test", "✓ diff main"]) expect(run.out).toContain(step);
    expect(tree(folder)).toEqual(before);
    expect((await hasp(folder, ["ci"])).out).toContain("diff: skipped");
  });

  test("one report: drift, a failed test and a broken caller, each once", async () => {
    const folder = await repository();
    put(folder, {
      "specs/a.tool.yaml": files["specs/a.tool.yaml"]
        .replace("maxLength: 100", "maxLength: 9")
        .replace("class: UNSAFE", "class: READ_ONLY"),
    });
    const run = await haspJson(folder, ["ci", "--base", "main"]);
    expect(run.code).toBe(1);
    const codes = run.diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code);
    expect(codes.filter((code) => !code.startsWith("drift/"))).toEqual(["cli/test-failed", "diff/input-refused"]);
    expect(codes.some((code) => code.startsWith("drift/"))).toBe(true);
    expect(new Set(run.diagnostics.map((finding) => JSON.stringify(finding))).size).toBe(run.diagnostics.length);
    expect(run.summary).toMatchObject({
      check: { exitCode: 0 },
      build: { exitCode: 1 },
      test: { exitCode: 1, failed: 1 },
      diff: { exitCode: 1, breaks: 1 },
    });
    expect((await hasp(folder, ["ci"])).out).toContain("✗ test: 1 error");
  });

  test("a finding of the specs is said once, though every step meets it", async () => {
    const folder = await repository();
    put(folder, { "specs/a.tool.yaml": `${files["specs/a.tool.yaml"]}nonsense: 1\n` });
    const run = await haspJson(folder, ["ci", "--base", "main"]);
    expect(run.code).toBe(1);
    expect(run.diagnostics.filter(({ code }) => code === "resolve/unknown-key")).toHaveLength(1);
  });

  test("one cause counts once: later steps that fail for it say so", async () => {
    const folder = await repository();
    put(folder, { "specs/a.tool.yaml": `${files["specs/a.tool.yaml"]}nonsense: 1\n` });
    const run = await hasp(folder, ["ci", "--base", "main"]);
    expect([run.code, run.out]).toEqual([
      1,
      expect.stringMatching(
        /\n1 error\n\n✗ check: 1 error\n– build --check: fails for the same reasons\n– test: fails for the same reasons\n– diff main: fails for the same reasons\n$/u,
      ),
    ]);
    const warned = files["specs/a.tool.yaml"].replace(", description: Which record.", "");
    put(folder, { "specs/a.tool.yaml": warned });
    const failing = await hasp(folder, ["ci", "--fail-on", "warning"]);
    expect(failing.out).toMatch(/✗ check: 1 warning\n✗ build --check: 1 error\n/u);
  });

  test("a run that tests nothing fails, and says what to add", async () => {
    const folder = project({ ...files, "specs/a.tool.yaml": minimalSpec("a") });
    expect((await hasp(folder, ["build"])).code).toBe(0);
    expect((await hasp(folder, ["test"])).code).toBe(0);
    const run = await haspJson(folder, ["ci"]);
    expect(run).toMatchObject({ code: 1, diagnostics: [{ code: "cli/no-tests", severity: "error" }] });
    put(folder, { "specs/a.tool.yaml": minimalSpec("a", "examples: [{ input: { id: x } }]\n") });
    expect((await hasp(folder, ["build"])).code).toBe(0);
    expect((await haspJson(folder, ["ci"])).code).toBe(0);
  });

  test("an approval leaves the build stale: it says what is next, and the check names the ledger", async () => {
    const folder = await repository();
    const claiming = `${files["specs/a.tool.yaml"].replace("UNSAFE", "READ_ONLY")}concurrency: { class: READ_ONLY }\n`;
    put(folder, { "specs/a.tool.yaml": claiming });
    const approved = await hasp(folder, ["approve", "a", "--yes", "--reason", "It reads."]);
    expect(approved.out).toMatch(/\n\nNext: hasp build\n$/u);
    expect((await haspJson(folder, ["build"])).code).toBe(0);
    put(folder, { "hasp-ledger/a.yaml": `# Seen.\n${readFileSync(join(folder, "hasp-ledger/a.yaml"), "utf8")}` });
    const { diagnostics } = await haspJson(folder, ["ci"]);
    expect(diagnostics).toMatchObject([
      {
        code: "drift/outdated",
        message: '"src/generated/manifest.json" is out of date: since the last build, "hasp-ledger/a.yaml" changed.',
      },
    ]);
    put(folder, { "specs/a.tool.yaml": files["specs/a.tool.yaml"] });
    const pruned = await hasp(folder, ["approve", "--prune"]);
    expect(pruned.out).toMatch(/1 entry removed\.[\s\S]*\nNext: hasp build\n$/u);
    expect((await hasp(folder, ["approve", "--prune"])).out).not.toContain("Next:");
  });

  test("says what it approves that no trusted signature vouches for, also where the change gives that demand up", async () => {
    const folder = await repository();
    const demand = `${files["hasp.config.yaml"]}approvals: { verify: signed-commits }\n`;
    put(folder, { "hasp.config.yaml": demand });
    await hasp(folder, ["build"]);
    git(folder, "commit", "-q", "-a", "-m", "x");
    git(folder, "checkout", "-q", "-b", "change");
    put(folder, {
      "specs/a.tool.yaml": `${files["specs/a.tool.yaml"].replace("UNSAFE", "READ_ONLY")}concurrency: { class: READ_ONLY }\n`,
    });
    await hasp(folder, ["approve", "a", "--yes", "--reason", "It reads."]);
    await hasp(folder, ["build"]);
    git(folder, "add", "-A");
    git(folder, "commit", "-q", "-m", "y");
    const errors = async (): Promise<readonly unknown[]> => {
      const { diagnostics } = await haspJson(folder, ["ci", "--base", "main", "--allow", "loosens"]);
      return diagnostics.flatMap(({ severity, code, uri }) => (severity === "error" ? [[code, uri]] : []));
    };
    const unseen = ["ledger/unseen", "hasp-ledger/a.yaml"];
    expect(await errors()).toEqual([unseen]);
    put(folder, { "hasp.config.yaml": files["hasp.config.yaml"] });
    await hasp(folder, ["build"]);
    expect(await errors()).toEqual([unseen]);
    const { diagnostics } = await haspJson(folder, ["diff", "main"]);
    expect(diagnostics).toContainEqual(
      expect.objectContaining({ code: "diff/approvals-unverified", severity: "error" }),
    );
  });

  test("the worst exit code: a base that is not there is 2, whatever else was found; so is a project without specs", async () => {
    const folder = await repository();
    const run = await haspJson(folder, ["ci", "--base", "origin/main"]);
    expect(run).toMatchObject({
      code: 2,
      diagnostics: [{ code: "diff/ref-not-found" }],
      summary: { check: { exitCode: 0 }, diff: { exitCode: 2 } },
    });
    expect((await haspJson(project({ "hasp.config.yaml": files["hasp.config.yaml"] }), ["ci"])).code).toBe(2);
  });

  test("--allow is handed on, and named where it would help", async () => {
    const folder = await repository();
    put(folder, { "specs/a.tool.yaml": files["specs/a.tool.yaml"].replace("maxLength: 100", "maxLength: 9") });
    expect((await hasp(folder, ["build"])).code).toBe(0);
    const refused = await hasp(folder, ["ci", "--base", "main"]);
    expect([refused.code, refused.out]).toEqual([
      1,
      expect.stringMatching(/ agrees with this change: --allow breaks\n$/u),
    ]);
    const allowed = await hasp(folder, ["ci", "--base", "main", "--allow", "breaks"]);
    expect([allowed.code, allowed.out]).toEqual([0, expect.not.stringContaining("--allow")]);
  });
});
