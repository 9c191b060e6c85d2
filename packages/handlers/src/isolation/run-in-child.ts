import type { ChildProcess } from "node:child_process";
import type { Duplex, Readable } from "node:stream";
import { type ExecutionOptions, NotExecuted, type ToolResult, toolResult, type ToolResultParts } from "@hasp/runtime";
import { copyJson } from "@hasp/base/json";
import { LIMIT_CODES, type LimitCode, LONGEST_TIMER, messageOf } from "@hasp/runtime/internal";
import {
  CHANNEL_FD,
  createLineReader,
  readChildMessage,
  toLine,
  VERDICT_FD,
  type ChildMessage,
  type ParentMessage,
  type StartMessage,
  type ThrownError,
} from "./isolation-messages.js";
import { killTree } from "./process-tree.js";
import { startChild } from "./start-child.js";

/** The time to stop gracefully; less than the dispatcher's grace, so that no call is abandoned. */
const GRACE_MS = 500;

const QUOTED = 2000;

const MEGABYTE = 2 ** 20;

export function runInChild<Output>(
  options: IsolateOptions,
  execution: ExecutionOptions<unknown>,
  start: StartMessage,
): Promise<Output> {
  const { signal, progress, dispatch } = execution;
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(new NotExecuted("it was stopped before its process started"));
      return;
    }
    const { timeoutSeconds, outputMb } = options;
    const wallTimeMs = timeoutSeconds === "unlimited" ? undefined : Math.min(timeoutSeconds * 1000, LONGEST_TIMER);
    let child: ChildProcess;
    try {
      child = startChild({ ...options, wallTimeMs, graceMs: GRACE_MS, hasImporter: start.importer !== undefined });
    } catch (error) {
      reject(notStarted(error));
      return;
    }
    child.on("error", (error) => finish(() => reject(child.pid === undefined ? notStarted(error) : error)));
    // Missing if the system is out of file descriptors; the error then follows.
    const channel = child.stdio?.[CHANNEL_FD] as Duplex | undefined;
    const verdict = child.stdio?.[VERDICT_FD] as Readable | undefined;
    let received = 0;
    const count = (chunk: Buffer): boolean => {
      received += chunk.length;
      if (received > (outputMb ?? Infinity) * MEGABYTE) exceed("output-limit");
      return !isOver;
    };
    let errorOutput = "";
    let isHeapFull = false;
    child.stdout?.on("data", (chunk: Buffer) => {
      if (count(chunk)) process.stderr.write(chunk);
    });
    child.stderr?.on("data", (chunk: Buffer) => {
      const text = errorOutput + chunk.toString();
      isHeapFull ||= text.includes("heap out of memory");
      errorOutput = text.slice(-QUOTED);
      if (count(chunk)) process.stderr.write(chunk);
    });
    verdict?.on("data", (chunk: Buffer) => {
      const code = LIMIT_CODES.find((each) => each === chunk.toString());
      if (code !== undefined) exceed(code);
    });
    verdict?.on("error", () => undefined);
    let grace: NodeJS.Timeout | undefined;
    let draining: NodeJS.Timeout | undefined;
    const wallTime = wallTimeMs === undefined ? undefined : setTimeout(() => exceed("time-limit"), wallTimeMs);

    const onAbort = (): void => {
      // From here on, only the grace period counts.
      clearTimeout(wallTime);
      send({ type: "abort", message: String((signal.reason as Error | undefined)?.message ?? "stopped") });
      grace ??= setTimeout(() => fail({ what: "its process was told to stop and was killed" }), GRACE_MS);
    };
    signal.addEventListener("abort", onAbort, { once: true });

    let isOver = false;
    function finish(settle: () => void): void {
      if (isOver) return;
      isOver = true;
      clearTimeout(wallTime);
      clearTimeout(grace);
      clearTimeout(draining);
      signal.removeEventListener("abort", onAbort);
      if (child.pid !== undefined) killTree(child.pid);
      // An escaped process may hold the other ends, which would keep this process alive.
      for (const stream of [child.stdout, child.stderr, channel, verdict]) stream?.destroy();
      settle();
    }
    /** True once the handler may have begun: before that, nothing has taken effect. */
    let hasBegun = false;
    let isFailing = false;
    /** Ends a call that has no answer. Waits for the last message of its process, which may be that the handler began. */
    function fail({ what, why = "", code }: ChildFailure): void {
      if (isOver || isFailing) return;
      isFailing = true;
      const end = (isKnown: boolean): void =>
        finish(() =>
          reject(
            hasBegun || !isKnown
              ? Object.assign(new Error(`${what}${why}`), code !== undefined && { code })
              : new NotExecuted(`${what}, before its handler began${why}`),
          ),
        );
      if (hasBegun || channel === undefined || channel.closed) return end(true);
      if (child.pid !== undefined) killTree(child.pid);
      channel.once("close", () => end(true));
      draining = setTimeout(() => end(false), GRACE_MS);
    }
    const exceed = (code: LimitCode): void => {
      const failure = explainLimit(code, options);
      // A handler can write to the watchdog's pipe too.
      if (failure !== undefined) fail({ ...failure, code });
    };

    function send(message: ParentMessage): void {
      if (isOver) return;
      try {
        channel?.write(toLine(message));
      } catch (error) {
        fail({ what: "a message to its process cannot be sent", why: `: ${messageOf(error)}` });
      }
    }

    function take(message: ChildMessage): void {
      switch (message.type) {
        case "began":
          hasBegun = true;
          return;
        case "progress":
          if (!isFailing) progress(message.update);
          return;
        case "dispatch":
          if (isFailing) return;
          dispatch(message.calls).then(
            (results) => send({ type: "dispatched", id: message.id, results: results.map(crossable) }),
            (error: unknown) => finish(() => reject(error)),
          );
          return;
        case "returned":
          finish(() =>
            resolve((message.isToolResult ? toolResult(message.value as ToolResultParts) : message.value) as Output),
          );
          return;
        case "threw":
          finish(() => reject(toError(message.error)));
      }
    }

    const read = createLineReader((line) => {
      if (isOver) return;
      const message = readChildMessage(line);
      if (message === undefined) {
        return fail({ what: "its process wrote something to the channel that is not a message" });
      }
      try {
        take(message);
      } catch (error) {
        finish(() => reject(error));
      }
    });
    channel?.on("data", (chunk: Buffer) => {
      if (count(chunk)) read(chunk);
    });
    channel?.on("error", () => undefined);
    child.on("exit", (code, killedBy) => {
      const how = killedBy === null ? `exited with code ${String(code)}` : `was killed by ${killedBy}`;
      const end = (): void => {
        // The heap of V8 may be full before the watchdog looks.
        if (isHeapFull) exceed("memory-limit");
        fail({
          what: `its process ${how} without an answer`,
          why: errorOutput === "" ? "" : `:\n${errorOutput}`,
        });
      };
      // An earlier answer or verdict may still be in the pipe; descendants may hold the streams open.
      child.once("close", end);
      setTimeout(end, GRACE_MS).unref();
    });
    send(start);
  });
}

interface ChildFailure {
  readonly what: string;
  readonly why?: string;
  readonly code?: LimitCode;
}

/** Explains to the model why a call was killed, and not how to raise the limit. */
function explainLimit(
  code: LimitCode,
  { memoryMb, cpuSeconds, outputMb, timeoutSeconds }: IsolateOptions,
): ChildFailure | undefined {
  const what = "its process was killed";
  switch (code) {
    case "memory-limit":
      return memoryMb === undefined ? undefined : { what, why: `: it used more than ${memoryMb} MB of memory` };
    case "cpu-limit":
      return cpuSeconds === undefined ? undefined : { what, why: `: it used more than ${cpuSeconds} s of CPU time` };
    case "output-limit":
      return outputMb === undefined ? undefined : { what, why: `: it wrote more than ${outputMb} MB` };
    case "time-limit":
      return { what: `${what} after ${timeoutSeconds} s` };
  }
}

function notStarted(error: unknown): NotExecuted {
  return new NotExecuted(`its process could not be started: ${messageOf(error)}`);
}

/** Drops details that JSON cannot express. */
function crossable(result: ToolResult): ToolResult {
  try {
    return copyJson(result) as unknown as ToolResult;
  } catch {
    const { details: _uncrossable, ...rest } = result;
    return rest;
  }
}

function toError({ name, message, code, retryable }: ThrownError): Error {
  if (code === "not-executed") return new NotExecuted(message);
  return Object.assign(
    new Error(message),
    { name },
    code !== undefined && { code },
    retryable === true && { retryable },
  );
}

/** The limits of a call. A call that exceeds one is killed, and its error has the code of the limit. */
interface IsolationLimits {
  readonly memoryMb?: number | undefined;
  /** Seconds of CPU time, user and system, including the start of Node. Code `cpu-limit`. */
  readonly cpuSeconds?: number | undefined;
  /** Megabytes of its answer, progress and output together. Code `output-limit`. */
  readonly outputMb?: number | undefined;
}

/** A module named by its path from another file, which is found with the first call. */
export interface RelativeModule {
  readonly path: string;
  /** Finds the other file: its name (`__filename`), or what has its address (`import.meta.url`) as `url`. */
  readonly from: () => string | Promise<{ readonly url: string }>;
}

export interface IsolateOptions extends IsolationLimits {
  /**
   * The module of the handler: `new URL("./run-shell.js", import.meta.url)`. If only `./run-shell.ts` exists, it is
   * imported with the options of Node (`--import`, `--require` or `--loader`, `NODE_OPTIONS` included) that load
   * TypeScript in this process. A module named by its source may be compiled: `./run-shell.js` is imported if only that exists.
   */
  readonly module: string | URL | RelativeModule;
  readonly export?: string;
  /** The environment variables that the handler sees. Default: none. */
  readonly env?: readonly string[];
  /** The wall time after which the process and everything it started are killed, or "unlimited". Code `time-limit`. */
  readonly timeoutSeconds: number | "unlimited";
  /** An exported function that creates the context in the child: the host's own cannot cross. */
  readonly context?: { readonly module: string | URL; readonly export: string };
}
