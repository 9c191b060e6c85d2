import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import PACKAGES from "../../packages/hasp/scripts/packages.json" with { type: "json" };
import { commands, GROUPS } from "../../packages/hasp/src/cli/commands.js";
import { RENAMED_COMMANDS } from "../../packages/hasp/src/cli/renamed.js";
import { bin, hasp, haspJson, project, startHasp } from "./command-line.js";

const { version } = JSON.parse(
  readFileSync(resolve(import.meta.dirname, "../../packages/hasp/package.json"), "utf8"),
) as { version: string };

/** True for a text that a terminal of 24 lines and 80 columns shows whole. */
function fitsOneScreen(text: string): boolean {
  const lines = text.trimEnd().split("\n");
  return lines.length <= 24 && lines.every((line) => line.length <= 80);
}

describe("hasp --version", () => {
  test.each([["--version"], ["-V"]])("%s answers alone", (word) => {
    expect(startHasp(project(), [word])).toEqual({ code: 0, out: `${version}\n`, error: "" });
  });

  test("answers beside other words, too", () => {
    expect(startHasp(project(), ["check", "--version"])).toMatchObject({ code: 0, out: `${version}\n` });
  });
});

describe("words on the command line", () => {
  test("help lists every command in its group, and each command has its own help", async () => {
    const { code, out } = startHasp(project(), ["--help"]);
    expect([code, fitsOneScreen(out)]).toEqual([0, true]);
    const listed = [...out.matchAll(/^(?=.{24})(?:(\S.*?) {2,}| +)([a-z]+) {2,}\S.*$/gmu)].map((line) => line.slice(1));
    expect(listed.map(([, name]) => name)).toEqual(commands.map(({ name }) => name));
    expect(listed.flatMap(([group]) => group ?? [])).toEqual(Object.values(GROUPS));
    for (const { name } of commands) {
      const own = await hasp(project(), [name, "--help"]);
      expect([name, own.code]).toEqual([name, 0]);
      expect(own.out).toContain(`hasp ${name}`);
      expect(own.out).toContain("--format");
    }
    expect((await hasp(project(), ["help", "options"])).out).toContain("write findings to this file");
  });

  test("help of show is one screen", async () => {
    const { out } = await hasp(project(), ["show", "--help"]);
    expect(fitsOneScreen(out), out).toBe(true);
  });

  test("help of each source of an import is one screen about that source alone", async () => {
    const { out: listed } = await hasp(project(), ["import", "--help"]);
    const kinds = [...listed.matchAll(/^ {2}([a-z-]+) \[options\]/gmu)].map(([, kind = ""]) => kind);
    expect(kinds).toEqual(expect.arrayContaining(["mcp", "openapi", "plugin", "sql", "zod"]));
    for (const kind of kinds) {
      const { code, out } = await hasp(project(), ["import", kind, "--help"]);
      expect([kind, code, fitsOneScreen(out)], out).toEqual([kind, 0, true]);
      expect([kind, out.includes("--only"), out.includes("--schema")]).toEqual([kind, true, kind === "sql"]);
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
    [["import", "openapi.yaml"], "Allowed choices are anthropic"],
    [["import", "acme/csv"], "missing required argument 'file'"],
    [["import", "openai"], "missing required argument 'file'"],
    [["import", "zod", "a.js", "--only", "tag:a"], '"tag:a" is none of tool:<name>.'],
    [["import", "openapi", "a.json", "--except", "method:"], '"method:" is none of tool:<name>, tag:<tag>, method:'],
    [["calls", "audit", "--only", "since:spring"], "must be a date"],
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
    [["model"], "hasp show model:"],
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
    [
      ["import", "openapi", "a.yaml", "--base-url", "https://a.example"],
      '"--base-url" has a new name. Type: hasp import openapi a.yaml --url https://a.example',
    ],
    [["import", "sql", "--connection-env", "DB"], '"--connection-env" has a new name. Type: hasp import sql --env DB'],
    [
      ["export", "server-json", "--remote", "https://a.example"],
      '"--remote" has a new name. Type: hasp export server-json --url https://a.example',
    ],
    [
      ["calls", "audit", "--since", "2030-01-31"],
      '"--since" has a new name. Type: hasp calls audit --only=since:2030-01-31',
    ],
    [
      ["schema", "lower", "a.yaml", "--for", "mcp", "--allow-narrowing"],
      '"--allow-narrowing" has a new name. Type: hasp schema lower a.yaml --for mcp --allow narrowing',
    ],
    [["show", "--json"], '"--json" has a new name. Type: hasp show model:'],
    [["show", "find_it", "--json"], '"--json" has a new name. Type: hasp show find_it --format json'],
    [
      ["check", "--from", "a.json", "--client", "cursor", "--dialect", "mcp", "gemini"],
      '"--client" has a new name. Type: hasp check --from a.json --for cursor --for mcp gemini',
    ],
    [["build", "--update-stubs"], '"--update-stubs" has a new name. Type: hasp build --update'],
    [["call", "run_program", "--file", "a.js"], '"--file" has a new name. Type: hasp call run_program a.js'],
    [["import", "mcp", "--command", "npx x"], "\"--command\" has a new name. Type: hasp import mcp 'npx x'"],
    [
      ["import", "mcp-list", "a.json", "--url=https://a.example"],
      '"--url=https://a.example" has a new name. Type: hasp import mcp-list a.json https://a.example',
    ],
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
      ["src", "docs", "schema", "scripts"].map((folder) => `packages/${name}/${folder}`),
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
    const old = new RegExp(
      `\\bhasp (?:--[\\w-]+[ =]\\S+ )*(?:${Object.keys(RENAMED_COMMANDS).join("|")})\\b(?! link)`,
      "u",
    );
    expect(texts.filter((path) => old.test(readFileSync(join(repository, path), "utf8")))).toEqual([]);
  });
});
