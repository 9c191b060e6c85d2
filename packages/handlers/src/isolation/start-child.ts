import { spawn, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import { LONGEST_TIMER } from "../../../runtime/src/dispatch/scheduling/with-timeout.js";
import type { IsolateOptions } from "./isolate-options.js";
import type { ChildLimits } from "./isolation-messages.js";

const CHILD = fileURLToPath(new URL("./isolated-child.js", import.meta.url));

/**
 * The module whose `importModule(url)` imports handlers in the child; `undefined` where Node does. `hasp` names one in
 * the environment, since it runs handlers that are not compiled.
 */
export function importerModule(): string | undefined {
  return process.env["HASP_HANDLER_IMPORTER"];
}

/** The megabytes that an importer may take beside the handler. */
const IMPORTER_MB = 64;

/** What the process of one call is started with. */
interface ChildOptions extends Pick<IsolateOptions, "env" | "memoryMb" | "cpuSeconds" | "outputMb"> {
  /** Absent for no limit. */
  readonly wallTimeMs: number | undefined;
  /** How much later than that the child ends itself, should nobody be left to end it. */
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
    // What the handler prints goes to our stderr: our stdout may be a protocol.
    stdio: ["ignore", outputMb === undefined ? 2 : "pipe", "pipe", "pipe", "pipe"],
  });
}

/** The options of Node that decide how modules are resolved and loaded. */
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

/** The megabytes of heap without which Node does not even start, and could not say what ended it. */
const LEAST_HEAP_MB = 64;

/** Lets the heap of V8 grow as far as the memory may; without it, V8 chooses a limit by the size of the machine. */
function heapLimit(memoryMb: number | undefined): readonly string[] {
  return memoryMb === undefined ? [] : [`--max-old-space-size=${Math.max(LEAST_HEAP_MB, Math.ceil(memoryMb))}`];
}

function pick(env: NodeJS.ProcessEnv, names: readonly string[]): NodeJS.ProcessEnv {
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
}
