// The process that `isolate` starts: calls one handler once, and answers over the channel to its parent.
import { serialize } from "node:v8";
import type { JsonValue } from "@hasp/schema";
import type { ExecutionOptions, ToolResult } from "../tool/definition.js";
import { isToolResult } from "../results/tool-result.js";
import {
  MOST_BYTES,
  type ChildMessage,
  type ParentMessage,
  type StartMessage,
  type ThrownError,
} from "./isolation-messages.js";
import { killTree } from "./process-tree.js";

const controller = new AbortController();
const dispatching = new Map<number, (results: readonly ToolResult[]) => void>();

process.on("message", (message: ParentMessage) => {
  switch (message.type) {
    case "start":
      void run(message).then(answer);
      return;
    case "abort":
      controller.abort(new Error(message.message));
      return;
    case "dispatched":
      dispatching.get(message.id)?.(message.results);
      dispatching.delete(message.id);
  }
});
// Without a parent there is nobody to work for, nor for what the handler has started.
process.on("disconnect", () => killTree(process.pid));

async function run(start: StartMessage): Promise<ChildMessage> {
  let execute: (input: unknown, options: ExecutionOptions<unknown>) => unknown;
  let context: unknown;
  try {
    execute = await exportedFunction(start.module, start.exportName);
    const { contextFactory } = start;
    if (contextFactory !== undefined) {
      context = await (await exportedFunction(contextFactory.module, contextFactory.exportName))();
    }
  } catch (error) {
    return { type: "threw", error: { ...thrown(error), code: "not-executed" } };
  }
  try {
    const value = await execute(start.input, optionsFor(start, context));
    return isToolResult(value)
      ? { type: "returned", value: { ...value }, isToolResult: true }
      : { type: "returned", value, isToolResult: false };
  } catch (error) {
    return { type: "threw", error: thrown(error) };
  }
}

type AnyFunction = (...args: unknown[]) => unknown;

async function exportedFunction(module: string, name: string): Promise<AnyFunction> {
  const exports = (await import(module)) as Record<string, unknown>;
  const value = Object.hasOwn(exports, name) ? exports[name] : undefined;
  if (typeof value !== "function") throw new Error(`the module ${module} exports no function called "${name}"`);
  return value as AnyFunction;
}

function optionsFor(
  { callId, idempotencyKey, class: callClass }: StartMessage,
  context: unknown,
): ExecutionOptions<unknown> {
  let calls = 0;
  return {
    signal: controller.signal,
    callId,
    idempotencyKey,
    class: callClass,
    context,
    progress: report,
    dispatch: (nested) =>
      new Promise((resolve) => {
        const id = (calls += 1);
        send({ type: "dispatch", id, calls: [...nested] });
        dispatching.set(id, resolve);
      }),
  };
}

/** Progress that cannot cross is not told: it must not fail the call. */
function report(update: JsonValue): void {
  try {
    send({ type: "progress", update });
  } catch {
    return;
  }
}

/** Throws for what cannot cross the border, or is more than the other side should have to hold. */
function send(message: ChildMessage): void {
  const size = serialize(message).byteLength;
  if (size > MOST_BYTES) throw new RangeError(`it has ${size} bytes, of which ${MOST_BYTES} may cross at once`);
  process.send?.(message);
}

/** Answers, and stays until the answer is sent; then the parent ends this process and all it started. */
function answer(message: ChildMessage): void {
  try {
    send(message);
  } catch (error) {
    const { message: why, ...rest } = thrown(error);
    send({ type: "threw", error: { ...rest, message: `what it returned cannot cross the border: ${why}` } });
  }
}

function thrown(error: unknown): ThrownError {
  if (!(error instanceof Error)) return { name: "Error", message: String(error) };
  const { code, retryable } = error as { code?: unknown; retryable?: unknown };
  return {
    name: error.name,
    message: error.message,
    ...(typeof code === "string" && { code }),
    ...(retryable === true && { retryable }),
  };
}
