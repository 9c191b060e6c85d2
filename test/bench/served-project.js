import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { temporaryFolder } from "./temporary-folder.js";

const hasp = resolve(import.meta.dirname, "../../packages/hasp/bin/hasp.js");
const { CI: _ci, ...env } = process.env;

const spec = (name) => `hasp: 1
name: ${name}
description: Does ${name}. Use it to measure. Do not use it for anything else.
input:
  type: object
  required: [id]
  properties: { id: { type: string, minLength: 1, maxLength: 100, description: Which one. }, ms: { type: integer, default: 0, minimum: 0, maximum: 10000, description: How long. } }
concurrency: { class: READ_ONLY }
behavior: { requiresPermission: false, isOpenWorld: false, interruptBehavior: cancel }
limits: { maxResultSizeChars: 2000 }
`;
const handler = (name) => {
  const type = `${name.replaceAll(/(?:^|_)([a-z0-9])/g, (_all, letter) => letter.toUpperCase())}Handler`;
  return `import type { ${type} } from "../generated/tools/${name}.js";
export const execute: ${type}["execute"] = async ({ id, ms }, { signal, progress }) => {
  progress("begun");
  if (ms > 0) await new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => { clearTimeout(timer); resolve(undefined); });
  });
  if (signal.aborted) throw new Error("stopped");
  return "done " + id;
};
`;
};

/** Writes, approves and builds a project of tools that wait `ms` and answer `done <id>`. Returns its folder. */
export function makeServedProject(count) {
  const folder = temporaryFolder("hasp-bench-served-");
  for (const name of ["specs", "src/tools"]) mkdirSync(join(folder, name), { recursive: true });
  symlinkSync(join(import.meta.dirname, "../node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), '{ "name": "served", "version": "1.0.0", "type": "module" }');
  writeFileSync(join(folder, "hasp.config.yaml"), "specs: [specs]\ndialects: [mcp]\n");
  const names = Array.from({ length: count }, (_tool, index) => `tool_${index}`);
  for (const name of names) {
    writeFileSync(join(folder, `specs/${name}.tool.yaml`), spec(name));
    writeFileSync(join(folder, `src/tools/${name.replaceAll("_", "-")}.ts`), handler(name));
  }
  // A claim is approved by a person, and not in CI.
  const { CI: _ci, ...env } = process.env;
  for (const words of [["approve", ...names, "--yes", "--reason", "to measure"], ["build"]]) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [hasp, ...words], {
      cwd: folder,
      env,
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`hasp ${words[0]} ended with ${status}:\n${stdout}${stderr}`);
  }
  return folder;
}

/** Starts `hasp serve --http` there, and waits until it listens. */
export async function serveProject(folder) {
  const child = spawn(process.execPath, ["--expose-gc", hasp, "serve", "--http", "0"], { cwd: folder, env });
  let said = "";
  child.stderr.on("data", (chunk) => (said += String(chunk)));
  while (!said.includes("/mcp.")) {
    if (child.exitCode !== null) throw new Error(said);
    await Promise.race([once(child.stderr, "data"), once(child, "exit")]);
  }
  return { child, url: /http:\S+\/mcp/.exec(said)[0], errors: () => said.split("\n").slice(1).join("\n") };
}

/** The command that serves the project over standard input and output. */
export const stdioCommand = { command: process.execPath, args: [hasp, "serve"], env };

/** Megabytes that a process has in memory, and how many files and connections it has open. Of Linux only. */
export function usageOf(pid) {
  const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]);
  return { megabytes: kilobytes / 1024, handles: readdirSync(join("/proc", String(pid), "fd")).length };
}
