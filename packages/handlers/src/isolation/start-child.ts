import { spawn, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import { LONGEST_TIMER } from "../../../runtime/src/dispatch/scheduling/with-timeout.js";
import type { IsolateOptions } from "./isolate-options.js";
import type { ChildLimits } from "./isolation-messages.js";

const CHILD = fileURLToPath(new URL("./isolated-child.js", import.meta.url));

/**
 * Finds the module whose `importModule(url)` imports handlers in the child; `undefined` if Node does. `hasp` names one
 * in the environment, since it runs uncompiled handlers.
 */
export function importerModule(): string | undefined {
  return process.env["HASP_HANDLER_IMPORTER"];
}

/** The memory of an importer itself. */
const IMPORTER_MB = 64;

interface ChildOptions extends Pick<IsolateOptions, "env" | "memoryMb" | "cpuSeconds" | "outputMb"> {
  readonly wallTimeMs: number | undefined;
  /** The child ends itself this much later, in case nobody else can. */
  readonly graceMs: number;
  readonly hasImporter: boolean;
}

/** Starts the process of one call, in a group of its own. Throws if the system refuses. */
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
  const nodeOptions = [...loaderOptions(process.execArgv), ...heapLimit(memoryMb)];
  return spawn(process.execPath, [...nodeOptions, CHILD, JSON.stringify(limits)], {
    detached: true,
    env: pick(process.env, env),
    // The handler's output goes to our stderr: our stdout may be a protocol.
    stdio: ["ignore", outputMb === undefined ? 2 : "pipe", "pipe", "pipe", "pipe"],
  });
}

/** Options of Node that decide how modules are resolved and loaded. */
const LOADER_OPTION = /^(?:--(?:import|require|loader|experimental-loader|conditions)|-[rC])(?<value>=|$)/u;
const LOADER_SWITCH = /^--(?:experimental-(?:strip|transform)-types|preserve-symlinks)$/u;

/** Those of Node's options by which the child loads modules as this process does. */
function loaderOptions(options: readonly string[]): readonly string[] {
  return options.flatMap((option, index) => {
    if (LOADER_SWITCH.test(option)) return [option];
    const { value } = LOADER_OPTION.exec(option)?.groups ?? {};
    if (value === undefined) return [];
    return value === "=" ? [option] : [option, options[index + 1] ?? ""];
  });
}

/** With less heap Node does not even start, and could not report the limit. */
const LEAST_HEAP_MB = 64;

/** Lets V8's heap grow up to the memory limit; its default depends on the size of the machine. */
function heapLimit(memoryMb: number | undefined): readonly string[] {
  return memoryMb === undefined ? [] : [`--max-old-space-size=${Math.max(LEAST_HEAP_MB, Math.ceil(memoryMb))}`];
}

function pick(env: NodeJS.ProcessEnv, names: readonly string[]): NodeJS.ProcessEnv {
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
}
