import { cpSync, rmSync } from "node:fs";
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

/** Puts a folder back as a copy of it has it, times included: hasp looks at them. */
function restore(folder: string, copy: string): void {
  rmSync(folder, { recursive: true });
  cpSync(copy, folder, { recursive: true, preserveTimestamps: true });
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

test("a build that was killed before any step is made good by the next, of new specs or of the old ones", async () => {
  const tools = project({ "killer.cjs": killer });
  const [folder, built, killed] = [join(project(), "p"), project(), project()];
  const environment = { XDG_CACHE_HOME: join(folder, "cache") };
  const wanted = { before: await buildOf(before), after: await buildOf(after) };
  const expectGood = async (specs: "before" | "after"): Promise<void> => {
    expect((await hasp(folder, ["build"], environment)).code).toBe(0);
    expect(generated(folder)).toEqual(wanted[specs]);
    const handlers = Object.entries(tree(folder)).filter(([path]) => path.startsWith("src/tools"));
    for (const [path, text] of handlers) expect([path, text]).toEqual([path, expect.stringMatching(/execute/u)]);
    expect(Object.keys(tree(folder)).filter((path) => path.includes("hasp-tmp"))).toEqual([]);
  };

  put(folder, before);
  // Twice, so that it is remembered.
  for (let times = 0; times < 2; times += 1) await hasp(folder, ["build"], environment);
  cpSync(folder, built, { recursive: true, preserveTimestamps: true });

  let steps = 0;
  for (let code: number | null = null; code === null; steps += 1) {
    restore(folder, built);
    change(folder, before, after);
    ({ code } = startHasp(folder, ["build"], {
      NODE_OPTIONS: `--require=${join(tools, "killer.cjs")}`,
      KILLED_BEFORE: String(steps),
      ...environment,
    }));
    cpSync(folder, killed, { recursive: true, preserveTimestamps: true });
    await expectGood("after");
    restore(folder, killed);
    rmSync(killed, { recursive: true });
    change(folder, after, before);
    await expectGood("before");
  }
  expect(steps).toBeGreaterThan(8);
}, 240_000);
