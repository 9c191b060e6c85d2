import { dropUndefined } from "@hasp/base/json";
import { type ChildProcessByStdio, spawn, type SpawnOptions } from "node:child_process";
import type { Readable, Writable } from "node:stream";

interface StartOptions {
  readonly cwd?: string | undefined;
  readonly env: NodeJS.ProcessEnv;
}

/** Starts a program that reads no input, in a process group of its own and without a shell. */
export function startProgram(
  program: string,
  args: readonly string[],
  options: StartOptions,
): ChildProcessByStdio<null, Readable, Readable> {
  return spawn(program, [...args], { ...inOwnGroup(options), stdio: ["ignore", "pipe", "pipe"] });
}

/** Starts a program that reads its input and whose errors nobody reads, in a process group of its own. */
export function startFilter(
  program: string,
  args: readonly string[],
  options: StartOptions,
): ChildProcessByStdio<Writable, Readable, null> {
  return spawn(program, [...args], { ...inOwnGroup(options), stdio: ["pipe", "pipe", "ignore"] });
}

function inOwnGroup({ cwd, env }: StartOptions): SpawnOptions {
  return { ...dropUndefined({ cwd }), env, detached: process.platform !== "win32", windowsHide: true };
}
