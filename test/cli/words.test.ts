import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { bin, hasp, project, startHasp } from "./command-line.js";

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
      expect.arrayContaining([
        "init",
        "new",
        "import",
        "check",
        "build",
        "test",
        "show",
        "approve",
        "flatten",
        "lower",
        "explain",
      ]),
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
    [["new", "a", "--kind", "evil"], "Allowed choices are read, write, destructive, shell"],
    [["check", "--format", "xml"], "Allowed choices are github"],
    [["check", "--max-warnings", "some"], "whole number"],
    [["import", "soap", "x"], "Allowed choices are anthropic"],
    [["flatten"], "missing required argument"],
    [["clean", "a"], "too many arguments"],
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
