import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import PACKAGES from "../../packages/hasp/scripts/packages.json" with { type: "json" };
import { commands } from "../../packages/hasp/src/cli/commands.js";
import { RENAMED_COMMANDS } from "../../packages/hasp/src/cli/renamed.js";
import { bin, hasp, haspJson, project, startHasp } from "./command-line.js";

const { version } = JSON.parse(
  readFileSync(resolve(import.meta.dirname, "../../packages/hasp/package.json"), "utf8"),
) as { version: string };

describe("hasp --version", () => {
  test.each([["--version"], ["-V"]])("%s answers alone", (word) => {
    expect(startHasp(project(), [word])).toEqual({ code: 0, out: `${version}\n`, error: "" });
  });

  test("answers beside other words, too", () => {
    expect(startHasp(project(), ["check", "--version"])).toMatchObject({ code: 0, out: `${version}\n` });
  });
});

describe("words on the command line", () => {
  test("help lists every command, and each command has its own", async () => {
    const help = startHasp(project(), ["--help"]);
    expect(help.code).toBe(0);
    const commands = [...help.out.matchAll(/^ {2}([a-z]+) .*$/gm)].map((match) => match[1] ?? "");
    expect(commands).toEqual(
      expect.arrayContaining(["init", "new", "import", "check", "build", "test", "show", "approve", "schema", "calls"]),
    );
    for (const command of commands.filter((name) => name !== "help")) {
      const own = await hasp(project(), [command, "--help"]);
      expect([command, own.code]).toEqual([command, 0]);
      expect(own.out).toContain(`hasp ${command}`);
      expect(own.out).toContain("--format");
    }
  });

  test.each([
    [["chek"], "Did you mean check?"],
    [["check", "--quite"], "Did you mean --quiet?"],
    [["new", "a"], "--kind"],
    [["new", "a", "--kind", "evil"], "Allowed choices are command, destructive, http, mcp, read, shell, sql, write."],
    [["check", "--format", "xml"], "Allowed choices are github"],
    [["check", "--max-warnings", "some"], "whole number"],
    [["import", "soap", "x"], "Allowed choices are anthropic"],
    [["schema", "flatten"], "missing required argument"],
    [["schema", "flaten"], "Did you mean flatten?"],
    [["calls", "anwser"], "too many arguments for 'list'"],
    [["calls", "--only", "tol:a"], '"tol:a" is none of turn:<id>, tool:<name>, principal:<name>.'],
    [["calls", "--only", "turn:"], '"turn:" is none of turn:<id>'],
    [["calls", "--only", "refund"], '"refund" is none of turn:<id>'],
    [["calls", "audit", "--only", "decision:maybe"], "decision:allowed|denied|expired"],
    [["show", "--only", "tag:mail,clas:UNSAFE"], '"clas:UNSAFE" is none of'],
    [["show", "--only", "class:SAFE"], "class:UNSAFE|"],
    [["build", "--clean", "a"], "too many arguments"],
    [["build", "--clean", "--pin"], "cannot be used with option"],
    [["build", "--clean", "--watch"], "cannot be used with option"],
    [["build", "--pin", "--dry-run"], "cannot be used with option"],
  ])("%j is refused with 2 and a hint, on standard error", async (words, hint) => {
    const run = await hasp(project(), words);
    expect(run.code).toBe(2);
    expect(run.out).toBe("");
    expect(run.error).toContain(hint);
    expect(run.error).not.toContain("    at ");
  });

  test("no word at all prints the help and checks nothing", () => {
    const run = startHasp(project(), []);
    expect(run.code).toBe(2);
    expect(run.error).toContain("Usage: hasp");
  });

  test("a pipe that closes early is no error", () => {
    const script = `${JSON.stringify(process.execPath)} ${JSON.stringify(bin)} --help | head -c 1`;
    const { stderr, status } = spawnSync("bash", ["-o", "pipefail", "-c", script], { encoding: "utf8" });
    expect(stderr).toBe("");
    expect(status).toBe(0);
  });
});

describe("a command of an earlier version", () => {
  test.each([
    [["logout", "orders-api"], "hasp login --forget orders-api"],
    [["--cwd", "a folder", "clean", "--dry-run"], "hasp --cwd 'a folder' build --clean --dry-run"],
    [["pending", "--tool=pay", "--turn", "turn 1"], "hasp calls --only=tool:pay --only=turn:'turn 1'"],
    [["answer", "4f2a91", "--deny"], "hasp calls answer 4f2a91 --deny"],
    [["audit", "--verify", "a.jsonl", "--head", "0"], "hasp calls audit a.jsonl --head 0"],
    [["list", "--owner", "team a"], "hasp show --only=owner:'team a'"],
    [["list", "--tag", "mail", "look"], "hasp show --only=tag:mail look"],
    [["explain", "load/tag"], "hasp show load/tag"],
    [["model"], "hasp show --json"],
    [["lower", "a.yaml", "--for", "mcp"], "hasp schema lower a.yaml --for mcp"],
    [["pin", "https://x.example/a.json"], "hasp build --pin https://x.example/a.json"],
  ])("%j is refused with what to type now", async (words, line) => {
    const run = await hasp(project(), words);
    expect(run).toMatchObject({
      code: 2,
      out: "",
      error: expect.stringMatching(/^error: "[a-z]+" has a new name\. Type: hasp /u),
    });
    expect(run.error.trimEnd().endsWith(`. Type: ${line}`)).toBe(true);
    const { code, diagnostics } = await haspJson(project(), words);
    expect({ code, diagnostics }).toMatchObject({ code: 2, diagnostics: [{ code: "cli/usage" }] });
    expect(diagnostics[0]?.message).toContain(line);
  });

  test.each([
    [["calls", "--turn", "t"], '"--turn" has a new name. Type: hasp calls --only=turn:t'],
    [["approve", "a", "--tag=mail"], '"--tag=mail" has a new name. Type: hasp approve a --only=tag:mail'],
    [
      ["show", "--class", "UNSAFE", "--flag", "isOpenWorld"],
      '"--class" has a new name. Type: hasp show --only=class:UNSAFE --only=flag:isOpenWorld',
    ],
    [["import", "zod", "a.js", "--ours"], '"--ours" has a new name. Type: hasp import zod a.js --prefer ours'],
    [["show", "--flow"], '"--flow" has a new name. Type: hasp show toolset:'],
  ])("%j has an option of an earlier version", async (words, message) => {
    expect(await hasp(project(), words)).toEqual({ code: 2, out: "", error: `error: ${message}\n` });
  });

  test("leaves the other mistakes of a line as they are", async () => {
    expect((await hasp(project(), ["show", "--only", "bad", "--tag", "x"])).error).toContain(
      '"bad" is none of tag:<tag>',
    );
    expect((await hasp(project(), ["show", "--bogus", "--tag", "x"])).error).toContain("unknown option '--bogus'");
  });

  test("stays a name that no command has", () => {
    const names = commands.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
    expect(Object.keys(RENAMED_COMMANDS).filter((name) => names.includes(name))).toEqual([]);
  });

  test("is named by no text of ours", () => {
    const repository = resolve(import.meta.dirname, "../..");
    const packages = readdirSync(join(repository, "packages")).flatMap((name) =>
      ["src", "docs", "schema"].map((folder) => `packages/${name}/${folder}`),
    );
    const places = [...packages, "templates", "tools-spec/src", "tools-spec/specs", ".changeset", ".github"];
    const files = places
      .filter((place) => existsSync(join(repository, place)))
      .flatMap((place) => readdirSync(join(repository, place), { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile() && !["renamed.ts", "fewer-commands.md"].includes(entry.name))
      .map(({ parentPath, name }) => relative(repository, join(parentPath, name)));
    const readmes = PACKAGES.map((name) => `packages/${name}/README.md`);
    const texts = ["README.md", "CONTRIBUTING.md", "packages/hasp/CHANGELOG.md", ...readmes, ...files];
    expect(texts.length).toBeGreaterThan(1000);
    const old = new RegExp(`\\bhasp (?:${Object.keys(RENAMED_COMMANDS).join("|")})\\b(?! link)`, "u");
    expect(texts.filter((path) => old.test(readFileSync(join(repository, path), "utf8")))).toEqual([]);
  });
});
