import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hasp, minimalSpec, project, put, startHasp, tree } from "./command-line.js";

/** Kills its own process before the step that it is told, of those that rename, link or delete a file. */
const killer = `
const fs = require("node:fs");
const { syncBuiltinESMExports } = require("node:module");
let left = Number(process.env.KILLED_BEFORE);
const counted = (name, isStep) => {
  const original = fs[name];
  fs[name] = (...paths) => {
    if (isStep(String(paths[0])) && left-- === 0) process.kill(process.pid, "SIGKILL");
    return original(...paths);
  };
};
for (const name of ["renameSync", "linkSync", "unlinkSync"]) counted(name, (path) => /[\\\\/]src[\\\\/]/.test(path));
syncBuiltinESMExports();
`;

const before = {
  "hasp.config.yaml": "specs: [specs]\ndialects: [anthropic]\n",
  "specs/a.tool.yaml": minimalSpec("a"),
  "specs/b.tool.yaml": minimalSpec("b"),
};
const after = {
  "hasp.config.yaml": "specs: [specs]\ndialects: [mcp]\n",
  "specs/b.tool.yaml": minimalSpec("b", "tags: [x]\n"),
  "specs/c.tool.yaml": minimalSpec("c"),
};

function generated(folder: string): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(tree(folder)).filter(([path]) => path.startsWith("src/generated")));
}

function change(folder: string, from: Readonly<Record<string, string>>, to: Readonly<Record<string, string>>): void {
  for (const path of Object.keys(from)) rmSync(join(folder, path));
  put(folder, to);
}

async function buildOf(files: Readonly<Record<string, string>>): Promise<Readonly<Record<string, string>>> {
  const folder = project(files);
  expect((await hasp(folder, ["build"])).code).toBe(0);
  return generated(folder);
}

test.each([
  ["of what the specs say now", after],
  ["of what they said before", before],
])(
  "after a build that was killed, before whichever step, comes a build %s",
  async (_, last) => {
    const tools = project({ "killer.cjs": killer });
    const wanted = await buildOf(last);
    let steps = 0;
    for (let code: number | null = null; code === null; steps += 1) {
      const folder = project(before);
      const cache = project();
      // Twice, so that it is remembered.
      for (let times = 0; times < 2; times += 1) await hasp(folder, ["build"], { XDG_CACHE_HOME: cache });
      change(folder, before, after);
      ({ code } = startHasp(folder, ["build"], {
        NODE_OPTIONS: `--require=${join(tools, "killer.cjs")}`,
        KILLED_BEFORE: String(steps),
        XDG_CACHE_HOME: cache,
      }));
      if (last === before) change(folder, after, before);
      expect((await hasp(folder, ["build"], { XDG_CACHE_HOME: cache })).code).toBe(0);
      expect(generated(folder)).toEqual(wanted);
      const handlers = Object.entries(tree(folder)).filter(([path]) => path.startsWith("src/tools"));
      for (const [path, text] of handlers) expect([path, text]).toEqual([path, expect.stringMatching(/execute/u)]);
      expect(Object.keys(tree(folder)).filter((path) => path.includes("hasp-tmp"))).toEqual([]);
    }
    expect(steps).toBeGreaterThan(8);
  },
  240_000,
);
