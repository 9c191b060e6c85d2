// The process that `isolate` starts: calls one handler once, and answers over a channel of its own.
// It brings all that it imports, so that a bundle needs no other file than this one.
import { once } from "node:events";
import { existsSync, writeSync } from "node:fs";
import { connect, type NetConnectOpts, Socket } from "node:net";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { type JsonValue, own, dropUndefined } from "@hasp/base/json";
import { type ExecutionOptions, type ToolResult, isToolResult } from "@hasp/runtime";
import type { LimitCode } from "@hasp/runtime/internal";
import {
  CHANNEL_FD,
  createLineReader,
  toLine,
  VERDICT_FD,
  type ChildLimits,
  type ChildMessage,
  type ParentMessage,
  type StartMessage,
  type ThrownError,
} from "./isolation-messages.js";
import { killTree, measureTree } from "./process-tree.js";

const PARENT_MS = 250;

/** The interval of checks of the limits. */
const USAGE_MS = 50;

if (isMainThread) serve();
else watch(workerData as ChildLimits);

/**
 * Ends this process and everything it started at a limit or without its parent. Runs in a thread, since the handler may
 * loop forever.
 */
function watch({ wallTimeMs, parent, memoryMb = Infinity, cpuSeconds = Infinity }: ChildLimits): void {
  const end = (exceeded?: LimitCode): void => {
    try {
      if (exceeded !== undefined) writeSync(VERDICT_FD, exceeded);
    } catch {}
    killTree(process.pid);
  };
  if (wallTimeMs !== undefined) setTimeout(() => end("time-limit"), wallTimeMs);
  setInterval(() => {
    if (process.ppid !== parent) end();
  }, PARENT_MS);
  if (memoryMb !== Infinity || cpuSeconds !== Infinity) {
    const measure = (): void => {
      const used = measureTree();
      if (used.memoryMb > memoryMb) end("memory-limit");
      else if (used.cpuSeconds > cpuSeconds) end("cpu-limit");
    };
    measure();
    setInterval(measure, USAGE_MS);
  }
  parentPort?.postMessage("watching", []);
}

function serve(): void {
  const limits = JSON.parse(process.argv[2] ?? "null") as ChildLimits;
  const watchdog = new Worker(process.argv[1] ?? "", { workerData: limits });
  const watching = once(watchdog, "message");
  watchdog.unref();
  const channel = openChannel();
  const controller = new AbortController();
  const dispatching = new Map<number, (results: readonly ToolResult[]) => void>();
  const send = (message: ChildMessage): void => void channel.write(toLine(message));
  // The system holds the message before the handler can block this process.
  const begin = async (): Promise<void> => {
    await watching;
    await new Promise<void>((resolve) => channel.write(toLine({ type: "began" }), () => resolve()));
  };

  const receive = (message: ParentMessage): void => {
    switch (message.type) {
      case "start":
        void run(message, optionsFor(message, { send, dispatching, signal: controller.signal }), begin).then((answer) =>
          answerWith(send, answer),
        );
        return;
      case "abort":
        controller.abort(new Error(message.message));
        return;
      case "dispatched":
        dispatching.get(message.id)?.(message.results);
        dispatching.delete(message.id);
    }
  };
  channel.on(
    "data",
    createLineReader((line) => receive(JSON.parse(line ?? "null") as ParentMessage)),
  );
  channel.on("error", () => killTree(process.pid));
  channel.on("close", () => killTree(process.pid));
}

/** Opens the channel that this process has inherited; Bun does it by another function than Node and Deno. */
function openChannel(): Socket {
  const options = { fd: CHANNEL_FD };
  return "bun" in process.versions ? connect(options as unknown as NetConnectOpts) : new Socket(options);
}

async function run(
  start: StartMessage,
  options: Omit<ExecutionOptions<unknown>, "context">,
  begin: () => Promise<void>,
): Promise<ChildMessage> {
  let execute: (input: unknown, options: ExecutionOptions<unknown>) => unknown;
  let context: unknown;
  try {
    const { importer, contextFactory } = start;
    execute = await exportedFunction(importer, start.module, start.exportName);
    if (contextFactory !== undefined) {
      context = await (await exportedFunction(importer, contextFactory.module, contextFactory.exportName))();
    }
  } catch (error) {
    return { type: "threw", error: { ...thrown(error), code: "not-executed" } };
  }
  await begin();
  try {
    const value = await execute(start.input, { ...options, context });
    return isToolResult(value)
      ? { type: "returned", value: { ...value }, isToolResult: true }
      : { type: "returned", value, isToolResult: false };
  } catch (error) {
    return { type: "threw", error: thrown(error) };
  }
}

type AnyFunction = (...args: unknown[]) => unknown;

async function exportedFunction(importer: string | undefined, module: string, name: string): Promise<AnyFunction> {
  const exports = await loadModule(importer, module);
  const value = own(exports, name);
  if (typeof value !== "function") throw new Error(`the module ${module} exports no function called "${name}"`);
  return value as AnyFunction;
}

/** Imports a module, or its TypeScript source if only that exists, or what it was compiled to. */
async function loadModule(importer: string | undefined, module: string): Promise<Record<string, unknown>> {
  const others = ["ts", "tsx", "js"].map((ending) => module.replace(/(?<=\.[cm]?)[jt]sx?$/u, ending));
  const found = [module, ...others].find((other) => existsSync(new URL(other)));
  try {
    const file = found ?? module;
    return (await (importer === undefined ? import(file) : importWith(importer, file))) as Record<string, unknown>;
  } catch (error) {
    if (found !== undefined) throw error;
    throw new Error(`${thrown(error).message} (a bundler must keep the handler as a file of its own)`, {
      cause: error,
    });
  }
}

async function importWith(importer: string, module: string): Promise<unknown> {
  const { importModule } = (await import(importer)) as { readonly importModule: (url: string) => Promise<unknown> };
  return importModule(module);
}

interface Connection {
  readonly send: (message: ChildMessage) => void;
  /** Nested calls that await their results, by number. */
  readonly dispatching: Map<number, (results: readonly ToolResult[]) => void>;
  readonly signal: AbortSignal;
}

function optionsFor(
  { callId, idempotencyKey, class: callClass, trace }: StartMessage,
  { send, dispatching, signal }: Connection,
): Omit<ExecutionOptions<unknown>, "context"> {
  let calls = 0;
  return {
    signal,
    callId,
    idempotencyKey,
    class: callClass,
    ...dropUndefined({ trace }),
    progress(update: JsonValue) {
      try {
        send({ type: "progress", update });
      } catch {
        // Progress that cannot cross must not fail the call.
      }
    },
    dispatch: (nested) =>
      new Promise((resolve) => {
        const id = (calls += 1);
        send({ type: "dispatch", id, calls: [...nested] });
        dispatching.set(id, resolve);
      }),
  };
}

function answerWith(send: Connection["send"], message: ChildMessage): void {
  try {
    send(message);
  } catch (error) {
    const { message: why, ...rest } = thrown(error);
    send({
      type: "threw",
      error: { name: rest.name, message: `what it returned cannot be sent from its process: ${why}` },
    });
  }
}

function thrown(error: unknown): ThrownError {
  if (!(error instanceof Error)) return { name: "Error", message: String(error) };
  const { code, retryable } = error as { code?: unknown; retryable?: unknown };
  return {
    name: String(error.name),
    message: String(error.message),
    ...(typeof code === "string" && { code }),
    ...(retryable === true && { retryable }),
  };
}
