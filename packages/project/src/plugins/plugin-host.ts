import { Worker } from "node:worker_threads";
import type { JsonValue } from "@hasp/schema";
import type { ForeignPlugins, PluginAnswer, PluginRequests } from "@hasp/compiler/plugins";
import { locateOwnFile } from "../installation/own-package.js";

export interface WorkerData {
  readonly url: string;
  /** The number of the running part, from 1; 0 for none. */
  readonly part: Int32Array;
}

export interface WorkerRequest {
  readonly id: number;
  readonly kind: "describe" | keyof PluginRequests;
  readonly request: unknown;
}

export interface WorkerMessage {
  readonly id: number;
  readonly value?: JsonValue | undefined;
  readonly reason?: string;
  readonly at?: string;
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
  ask(kind: WorkerRequest["kind"], request: unknown): Promise<PluginAnswer>;
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
  const worker = new Worker(locateOwnFile("dist/plugins/plugin-worker.js"), {
    workerData: data,
    // The options of the process may not suit a worker: `--input-type`, an inspector's port.
    execArgv: [],
    // Standard output is for findings; nobody reads the plugin's, since a reader would keep the process alive.
    stdout: true,
    resourceLimits: { maxOldGenerationSizeMb: 1024 },
  });
  const waiting = new Map<number, (answer: PluginAnswer) => void>();
  let parts: readonly string[] = [];
  let next = 0;
  let ended: string | undefined;
  const end = (reason: string): void => {
    ended ??= reason;
    const name = parts[Atomics.load(part, 0) - 1];
    for (const settle of waiting.values()) settle({ reason, ...(name === undefined ? {} : { at: `"${name}"` }) });
    waiting.clear();
    void worker.terminate();
  };
  worker.on("message", ({ id, value, reason, at }: WorkerMessage) => {
    const settle = waiting.get(id);
    waiting.delete(id);
    settle?.(reason === undefined ? { value } : { reason, ...(at === undefined ? {} : { at }) });
  });
  worker.once("error", (error: unknown) => end(error instanceof Error ? error.message : String(error)));
  worker.once("messageerror", () => end("it returned what is no data"));
  worker.once("exit", (code) => end(`it ended its thread (${code})`));
  worker.unref();
  const retire = (): void => {
    const last = next;
    const close = (): void => (last === next && waiting.size === 0 ? end("it was closed") : retire());
    setTimeout(close, limits.answer * 1000).unref();
  };
  return {
    isRunning: () => ended === undefined,
    setParts: (names) => void (parts = names),
    close: () => end("it was closed"),
    retire,
    ask(kind, request) {
      if (ended !== undefined) return Promise.resolve({ reason: ended });
      const id = (next += 1);
      const seconds = kind === "describe" ? limits.load : limits.answer;
      worker.ref();
      return new Promise<PluginAnswer>((resolve) => {
        const timer = setTimeout(() => end(`it did not answer within ${seconds} seconds`), seconds * 1000);
        waiting.set(id, (answer) => {
          clearTimeout(timer);
          if (waiting.size <= 1) worker.unref();
          resolve(answer);
        });
        const asked: WorkerRequest = { id, kind, request };
        // A thread, which has no origin.
        // oxlint-disable-next-line unicorn/require-post-message-target-origin
        worker.postMessage(asked);
      });
    },
  };
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
