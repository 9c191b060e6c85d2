import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { LONGEST_TIMER } from "@hasp/runtime/internal";
import type { ChildLimits } from "./isolation-messages.js";

/** Finds the module whose `importModule(url)` imports uncompiled handlers in the child; `hasp` names it. */
export function findImporterModule(): string | undefined {
  return process.env["HASP_HANDLER_IMPORTER"];
}

const IMPORTER_MB = 64;

interface ChildOptions extends Omit<ChildLimits, "parent"> {
  /** The names of the environment variables that it sees. */
  readonly env?: readonly string[] | undefined;
  readonly outputMb?: number | undefined;
  /** The child ends itself this much later, in case nobody else can. */
  readonly graceMs: number;
  readonly hasImporter: boolean;
}

/** Starts a child. Throws if its program is not where this module looks for it, or if the system has no process. */
export function startChild({
  env = [],
  wallTimeMs,
  graceMs,
  cpuSeconds,
  outputMb,
  hasImporter,
  ...options
}: ChildOptions): ChildProcess {
  const memoryMb = options.memoryMb === undefined ? undefined : options.memoryMb + (hasImporter ? IMPORTER_MB : 0);
  const limits: ChildLimits = {
    wallTimeMs: wallTimeMs === undefined ? undefined : Math.min(wallTimeMs + graceMs, LONGEST_TIMER),
    parent: process.pid,
    memoryMb,
    cpuSeconds,
  };
  // A child that sees NODE_OPTIONS has its options without us.
  const inherited = env.includes("NODE_OPTIONS") ? [] : splitNodeOptions(process.env["NODE_OPTIONS"] ?? "");
  const nodeOptions = [...loaderOptions([...inherited, ...process.execArgv]), ...heapLimit(memoryMb)];
  return spawn(process.execPath, [...nodeOptions, locateProgram(), JSON.stringify(limits)], {
    detached: true,
    env: pick(process.env, env),
    // The handler's output goes to our stderr: our stdout may be a protocol.
    stdio: ["ignore", outputMb === undefined ? 2 : "pipe", "pipe", "pipe", "pipe"],
  });
}

/** Finds the program of the child beside this module, or beside the bundle that holds this module. */
function locateProgram(): string {
  // A bundle of CommonJS has no `import.meta.url`.
  const url: string | undefined = import.meta.url;
  const path =
    url === undefined
      ? join(__dirname, "isolated-child.js")
      : fileURLToPath(new URL("./isolated-child.js", import.meta.url));
  const copy = path.replace(/\.js$/u, ".mjs");
  const found = [path, copy].find((each) => existsSync(each));
  if (found !== undefined) return found;
  throw new Error(
    `there is no ${copy}. A bundle needs a copy of @hasp/handlers/dist/isolation/isolated-child.js there`,
  );
}

/** Splits `NODE_OPTIONS` as Node does: at blanks, except in double quotes, where a backslash escapes. */
function splitNodeOptions(text: string): readonly string[] {
  return Array.from(text.matchAll(/(?:"(?:\\.|[^"\\])*"|[^ "])+/gsu), ([option]) =>
    option.replaceAll(/"((?:\\.|[^"\\])*)"/gsu, (_quoted, inner: string) => inner.replaceAll(/\\(.)/gsu, "$1")),
  ).filter((option) => option !== "");
}

const LOADER_OPTION = /^(?:--(?:import|require|loader|experimental-loader|conditions)|-[rC])(?<value>=|$)/u;

const LOADER_SWITCH =
  /^--(?:(?:no-)?(?:experimental-)?(?:(?:strip|transform)-types|detect-module|require-module)|preserve-symlinks)$/u;

/** Keeps the options by which the child loads modules as this process does. */
function loaderOptions(options: readonly string[]): readonly string[] {
  return options.flatMap((option, index) => {
    if (LOADER_SWITCH.test(option)) return [option];
    const { value } = LOADER_OPTION.exec(option)?.groups ?? {};
    if (value === undefined) return [];
    return value === "=" ? [option] : [option, options[index + 1] ?? ""];
  });
}

/** The smallest heap with which Node starts and can report the limit. */
const LEAST_HEAP_MB = 64;

/** Lets V8's heap grow up to the memory limit; its default depends on the size of the machine. */
function heapLimit(memoryMb: number | undefined): readonly string[] {
  return memoryMb === undefined ? [] : [`--max-old-space-size=${Math.max(LEAST_HEAP_MB, Math.ceil(memoryMb))}`];
}

function pick(env: NodeJS.ProcessEnv, names: readonly string[]): NodeJS.ProcessEnv {
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
}
