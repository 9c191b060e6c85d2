import type { ForeignPlugins, PluginAnswer, PluginRequests } from "@hasp/compiler/plugins";
import { isObject } from "@hasp/base/json";
import { locateOwnFile } from "../installation/own-package.js";
import { describeLapse, type Lapse, NO_DATA, startThread } from "../processes/child.js";

export interface WorkerData {
  readonly url: string;
  /** The number of the running part, from 1; 0 for none. */
  readonly part: Int32Array;
}

export interface PluginQuestion {
  readonly kind: "describe" | keyof PluginRequests;
  readonly request: unknown;
}

/** Seconds that a plugin may take to load, and to answer one request. */
export interface PluginLimits {
  readonly load: number;
  readonly answer: number;
}

const LIMITS: PluginLimits = { load: 10, answer: 30 };

export interface PluginWorker {
  /** False after the worker was closed, hung or ended; it then answers nothing. */
  isRunning(): boolean;
  ask(kind: PluginQuestion["kind"], request: unknown): Promise<PluginAnswer>;
  /** Sets the names of the parts that the worker counts. */
  setParts(parts: readonly string[]): void;
  close(): void;
  /** Closes the worker once nobody has asked it anything for as long as an answer may take. */
  retire(): void;
}

/** Starts a worker that imports a module. A worker that hangs or ends answers nothing more. */
export function startPlugin(url: string, limits: PluginLimits = LIMITS): PluginWorker {
  const part = new Int32Array(new SharedArrayBuffer(4));
  const data: WorkerData = { url, part };
  const thread = startThread<PluginQuestion, PluginAnswer>(locateOwnFile("dist/plugins/plugin-worker.js"), {
    workerData: data,
    resourceLimits: { maxOldGenerationSizeMb: 1024 },
  });
  let parts: readonly string[] = [];
  let asked = 0;
  let answered = 0;
  const close = (): void => thread.end("it was closed");
  const retire = (): void => {
    const last = asked;
    const check = (): void => (last === asked && asked === answered ? close() : retire());
    setTimeout(check, limits.answer * 1000).unref();
  };
  return {
    isRunning: thread.isRunning,
    setParts: (names) => void (parts = names),
    close,
    retire,
    async ask(kind, request) {
      asked += 1;
      const wasRunning = thread.isRunning();
      const reply = await thread.ask({ kind, request }, kind === "describe" ? limits.load : limits.answer);
      answered += 1;
      if ("answer" in reply) return isObject(reply.answer) ? reply.answer : { reason: NO_DATA };
      const name = wasRunning ? parts[Atomics.load(part, 0) - 1] : undefined;
      return { reason: describeReason(reply.lapse), ...(name === undefined ? {} : { at: `"${name}"` }) };
    },
  };
}

function describeReason(lapse: Lapse): string {
  return lapse.kind === "failed" ? lapse.reason : `it ${describeLapse(lapse, { ended: "ended its thread" })}`;
}

/** The workers of this process, by the address of their modules. An editor or a watcher loads its plugins often. */
const running = new Map<string, SharedWorker>();

interface SharedWorker {
  readonly digest: string;
  readonly worker: PluginWorker;
  /** The leases that are not closed. */
  holders: number;
}

/**
 * Leases the worker that runs this code, or a new one. Closing a lease closes the worker only if nobody else holds it.
 * A worker that runs older code of the module is retired: another project may still be using it.
 */
export function openPlugin(url: string, digest: string, limits?: PluginLimits): PluginWorker {
  let shared = running.get(url);
  if (shared?.digest !== digest || !shared.worker.isRunning()) {
    shared?.worker.retire();
    shared = { digest, worker: startPlugin(url, limits), holders: 0 };
    running.set(url, shared);
  }
  return lease(shared);
}

function lease(shared: SharedWorker): PluginWorker {
  const { worker } = shared;
  let isOpen = true;
  shared.holders += 1;
  return {
    ...worker,
    close() {
      if (!isOpen) return;
      isOpen = false;
      shared.holders -= 1;
      if (shared.holders === 0) worker.close();
    },
  };
}

/** Keeps the workers of one project, by the names of their plugins. */
export function createForeignPlugins(workers: ReadonlyMap<string, PluginWorker>): ForeignPlugins {
  return {
    ask: async (plugin, part, request) =>
      (await workers.get(plugin)?.ask(part, request)) ?? { reason: "it was not started" },
  };
}
