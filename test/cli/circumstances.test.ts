// Where a command cannot do its work: one sentence, and the next step.
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { bin, haspJson, minimalSpec, project } from "./command-line.js";

const files = { "hasp.config.yaml": "specs: [specs]\n", "specs/a.tool.yaml": minimalSpec("look_up") };

const git = (folder: string, ...words: readonly string[]): string =>
  execFileSync("git", words, { cwd: folder, encoding: "utf8" });

test("no git: says what else a version can be compared with", async () => {
  const { code, diagnostics } = await haspJson(project(files), ["diff", "HEAD"]);
  expect([code, diagnostics]).toMatchObject([
    2,
    [{ code: "diff/no-repository", help: expect.stringContaining("Name a folder") }],
  ]);
});

test.each(["HEAD", "main", "origin/main"])("no commits: there is no %s yet", async (ref) => {
  const folder = project(files);
  git(folder, "init", "--quiet");
  const { code, diagnostics } = await haspJson(folder, ["diff", ref]);
  expect([code, diagnostics]).toMatchObject([
    2,
    [
      {
        code: "diff/no-commits",
        message: expect.stringContaining("no commits yet"),
        help: expect.stringContaining("Commit"),
      },
    ],
  ]);
});

test.each([
  ['specs: ["other/**"]', "project/no-specs"],
  ['specs: [specs, "other/**/*.tool.yaml"]', "project/glob-without-match"],
])("a glob without matches, %s, is said at its place", async (config, code) => {
  const folder = project({ ...files, "hasp.config.yaml": `${config}\n` });
  const run = await haspJson(folder, ["check"]);
  expect([run.code, run.diagnostics]).toMatchObject([
    2,
    [{ code, uri: "hasp.config.yaml", line: 1, help: expect.any(String) as string }],
  ]);
});

/** Nobody, where the tests run as the user who may write everywhere. */
const someone = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

/** Others cannot start a Node, or read a clone, that is in a closed home folder. */
const canStart = spawnSync(process.execPath, [bin, "--version"], someone).status === 0;

describe.runIf(canStart)("a folder that is read-only", () => {
  test.each([
    [["new", "add_it", "--kind", "write"], "cli/cannot-write", "make the folder writable"],
    [["init"], "cli/cannot-write", "make the folder writable"],
    [["build"], "write/no-permission", "Make the location writable"],
  ])("%j says so, writes nothing and shows no path of the machine", (words, code, remedy) => {
    const { "hasp.config.yaml": config, ...rest } = files;
    const folder = project(words[0] === "init" ? rest : { ...rest, "hasp.config.yaml": config });
    const temporary = project();
    chmodSync(temporary, 0o777);
    for (const path of ["specs", "."]) chmodSync(join(folder, path), 0o555);
    const run = spawnSync(process.execPath, [bin, ...words, "--format", "json"], {
      cwd: folder,
      encoding: "utf8",
      env: { ...process.env, CI: "", TMPDIR: temporary, XDG_CACHE_HOME: project(), HASP_CONFIG: undefined },
      ...someone,
    });
    chmodSync(folder, 0o755);
    chmodSync(join(folder, "specs"), 0o755);
    expect(run.status).toBe(2);
    const { diagnostics } = JSON.parse(run.stdout) as { diagnostics: readonly { code: string; severity: string }[] };
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    expect(new Set(errors.map((each) => each.code))).toEqual(new Set([code]));
    expect(run.stdout).toContain(remedy);
    expect(run.stdout).not.toContain(folder);
  });
});
