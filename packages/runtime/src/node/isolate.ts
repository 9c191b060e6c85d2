import { spawn, type ChildProcess } from "node:child_process";
import type { Duplex } from "node:stream";
import { fileURLToPath } from "node:url";
import { copyJson } from "../json/copy-json.js";
import { messageOf } from "../results/text.js";
import type { ExecutionOptions, ToolResult } from "../tool/definition.js";
import { LONGEST_TIMER } from "../dispatch/scheduling/with-timeout.js";
import { NotExecuted, toolResult, type ToolResultParts } from "../results/tool-result.js";
import {
  CHANNEL_FD,
  createLineReader,
  readChildMessage,
  toLine,
  type ChildMessage,
  type ParentMessage,
  type StartMessage,
  type ThrownError,
} from "./isolation-messages.js";
import { killTree } from "./process-tree.js";

/** Settings of {@link isolate}. */
export interface IsolateOptions {
  /** The module that holds the handler: a `file:` URL, such as `new URL("./run-shell.js", import.meta.url)`. */
  readonly module: string | URL;
  /** Default `execute`. */
  readonly export?: string;
  /** The environment variables that the handler sees. Default: none. */
  readonly env?: readonly string[];
  /** The wall time after which the process and all it started are killed. */
  readonly timeoutSeconds: number;
  /** An exported function that creates the context in the child, since the host's own cannot cross. */
  readonly context?: { readonly module: string | URL; readonly export: string };
}

/** Milliseconds in which a process may stop by itself; less than the dispatcher's grace, so that no call is abandoned. */
const GRACE_MS = 500;

/** The most characters of the child's standard error that an error quotes. */
const QUOTED = 2000;

const CHILD = fileURLToPath(new URL("./isolated-child.js", import.meta.url));

/**
 * An `execute` that runs its handler in a child process per call: a process group of its own that is killed as a whole,
 * an environment reduced to what is named, a wall time that holds even if this process is killed. What the handler
 * started in other groups is killed too, where the system is Linux and it has not left the family as a daemon does. Only
 * JSON crosses the channel, and anything else on it fails the call. This contains faults (a crash, a loop, a leak). It
 * is no sandbox: the handler has the rights of the user, the files and the network.
 */
export function isolate<Input = unknown, Output = unknown>(
  options: IsolateOptions,
): (input: Input, execution: ExecutionOptions<unknown>) => Promise<Output> {
  const module = moduleUrl(options.module);
  const contextFactory =
    options.context === undefined
      ? undefined
      : { module: moduleUrl(options.context.module), exportName: options.context.export };
  if (!(options.timeoutSeconds > 0)) throw new TypeError("isolate: `timeoutSeconds` must be a number above 0.");

  return (input, execution) =>
    runInChild<Output>(options, execution, {
      type: "start",
      module,
      exportName: options.export ?? "execute",
      contextFactory,
      input,
      callId: execution.callId,
      idempotencyKey: execution.idempotencyKey,
      class: execution.class,
    });
}

function moduleUrl(module: string | URL): string {
  const url = String(module);
  if (!url.startsWith("file:")) {
    throw new TypeError(
      `isolate: \`module\` must be a file: URL, such as new URL("./handler.js", import.meta.url); it is "${url}".`,
    );
  }
  return url;
}

function runInChild<Output>(
  options: IsolateOptions,
  execution: ExecutionOptions<unknown>,
  start: StartMessage,
): Promise<Output> {
  const { signal, progress, dispatch } = execution;
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(new NotExecuted("it was stopped before its process began"));
      return;
    }
    const wallTimeMs = Math.min(options.timeoutSeconds * 1000, LONGEST_TIMER);
    // The child ends itself a little later, should nobody be left to end it.
    const ownTimeMs = Math.min(wallTimeMs + GRACE_MS, LONGEST_TIMER);
    let child: ChildProcess;
    try {
      child = spawn(process.execPath, [CHILD, String(ownTimeMs), String(process.pid)], {
        detached: true,
        env: pick(process.env, options.env ?? []),
        // What the handler prints goes to our stderr: our stdout may be a protocol.
        stdio: ["ignore", 2, "pipe", "pipe"],
      });
    } catch (error) {
      reject(notStarted(error));
      return;
    }
    child.on("error", (error) => finish(() => reject(child.pid === undefined ? notStarted(error) : error)));
    // There is none where the system is out of file descriptors; the error then follows.
    const channel = child.stdio?.[CHANNEL_FD] as Duplex | undefined;
    let errorOutput = "";
    child.stderr?.on("data", (chunk: Buffer) => {
      errorOutput = (errorOutput + chunk.toString()).slice(-QUOTED);
      process.stderr.write(chunk);
    });
    let grace: NodeJS.Timeout | undefined;
    const wallTime = setTimeout(() => fail(`its process was killed after ${options.timeoutSeconds} s`), wallTimeMs);

    const onAbort = (): void => {
      send({ type: "abort", message: String((signal.reason as Error | undefined)?.message ?? "stopped") });
      grace ??= setTimeout(() => fail("its process was told to stop and was killed"), GRACE_MS);
    };
    signal.addEventListener("abort", onAbort, { once: true });

    let isOver = false;
    function finish(settle: () => void): void {
      if (isOver) return;
      isOver = true;
      clearTimeout(wallTime);
      clearTimeout(grace);
      signal.removeEventListener("abort", onAbort);
      if (child.pid !== undefined) killTree(child.pid);
      // A process that escaped may hold the other ends, and would keep this one waiting.
      child.stderr?.destroy();
      channel?.destroy();
      settle();
    }
    const fail = (reason: string): void => finish(() => reject(new Error(reason)));

    function send(message: ParentMessage): void {
      if (isOver) return;
      try {
        channel?.write(toLine(message));
      } catch (error) {
        fail(`what its process was to be told cannot cross the border: ${messageOf(error)}`);
      }
    }

    function take(message: ChildMessage): void {
      switch (message.type) {
        case "progress":
          progress(message.update);
          return;
        case "dispatch":
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

    channel?.on(
      "data",
      createLineReader((line) => {
        if (isOver) return;
        const message = readChildMessage(line);
        if (message === undefined) return fail("its process wrote something to the channel that is no message");
        try {
          take(message);
        } catch (error) {
          finish(() => reject(error));
        }
      }),
    );
    // A child that is gone answers by its exit.
    channel?.on("error", () => undefined);
    child.on("exit", (code, killedBy) => {
      const how = killedBy === null ? `ended with the code ${String(code)}` : `was killed by ${killedBy}`;
      const end = (): void =>
        fail(`its process ${how} without an answer${errorOutput === "" ? "" : `:\n${errorOutput}`}`);
      // An answer that it gave before may still be under way.
      if (channel === undefined || channel.readableEnded) return end();
      channel?.once("end", end);
      setTimeout(end, GRACE_MS).unref();
    });
    send(start);
  });
}

function notStarted(error: unknown): NotExecuted {
  return new NotExecuted(`its process could not be started: ${messageOf(error)}`);
}

/** A result without details that JSON cannot express. */
function crossable(result: ToolResult): ToolResult {
  try {
    return copyJson(result) as unknown as ToolResult;
  } catch {
    const { details: _uncrossable, ...rest } = result;
    return rest;
  }
}

function pick(env: NodeJS.ProcessEnv, names: readonly string[]): NodeJS.ProcessEnv {
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
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
