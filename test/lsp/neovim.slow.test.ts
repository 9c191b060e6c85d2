import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { bin, project } from "../cli/command-line.js";
import { check, withoutPaths } from "./projects.testing.js";

const page = resolve(import.meta.dirname, "../../packages/hasp/docs/editors.md");

const version = spawnSync("nvim", ["--version"], { encoding: "utf8" });
const hasNeovim = version.status === 0;
if (!hasNeovim) process.stderr.write("Neovim is not installed: its session with hasp lsp is not tested here.\n");

/** The session as the docs print it. */
const PRINTED = /(?<=```text neovim\n)[^]*?(?=```)/u;

test.skipIf(!hasNeovim)("a session in Neovim is what the docs print, and leaves the project clean", async () => {
  const folder = project({
    "hasp.config.yaml": "specs: [specs]\ntoolsets: { all: { policy: policies/shop.yaml } }\n",
    "specs/greet.tool.yaml": `hasp: 1
name: greet
description: >-
  Say hello 👋🏽 to one person. Use it when somebody arrives. Do not use it to part.
input:
  type: object
  required: [who]
  properties:
    who: { type: string, minLength: 1, maxLength: 100, description: Who arrives. }
# hasp-ignore naming/vague-name -- the name was vague once
behavior: { isOpenWorld: true, interruptBehavior: block }
limits: { maxResultSizeChars: 20000 }
`,
    "policies/shop.yaml": "hasp: 1\ndeny: [greet]\n",
  });
  const script = resolve(import.meta.dirname, "neovim/session.lua");
  const { stdout, stderr, status } = spawnSync(
    "nvim",
    ["--headless", "--clean", "-n", "-i", "NONE", "-c", `luafile ${script}`],
    {
      cwd: folder,
      encoding: "utf8",
      timeout: 55_000,
      env: { ...process.env, HASP: bin, NODE: process.execPath, XDG_STATE_HOME: project(), XDG_DATA_HOME: project() },
    },
  );
  expect(status, stdout + stderr).toBe(0);
  if (process.env["UPDATE"] === "1") {
    writeFileSync(
      page,
      readFileSync(page, "utf8").replace(PRINTED, () => stdout),
    );
  }
  expect(stdout).toBe(PRINTED.exec(readFileSync(page, "utf8"))?.[0]);
  expect(withoutPaths(await check(folder))).toEqual([]);
  expect(readFileSync(join(folder, "specs/greet.tool.yaml"), "utf8")).not.toContain("hasp-ignore");
});
