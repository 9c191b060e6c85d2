import { type JsonValue, copyJson, isObject } from "@hasp/base/json";
import type { CallTrace, ConcurrencyClass, ToolCall, ToolResult } from "@hasp/runtime";

/** The first message to the child: the function to call, with its input. */
export interface StartMessage {
  readonly type: "start";
  readonly module: string;
  readonly exportName: string;
  readonly importer: string | undefined;
  readonly contextFactory: { readonly module: string; readonly exportName: string } | undefined;
  readonly input: unknown;
  readonly callId: string;
  readonly idempotencyKey: string;
  readonly class: ConcurrencyClass;
  readonly trace: CallTrace | undefined;
}

/** From the dispatcher's process to the child. */
export type ParentMessage =
  | StartMessage
  | { readonly type: "abort"; readonly message: string }
  | { readonly type: "dispatched"; readonly id: number; readonly results: readonly ToolResult[] };

export type ChildMessage =
  /** The handler is loaded and begins: from here on, the call may take effect. */
  | { readonly type: "began" }
  | { readonly type: "progress"; readonly update: JsonValue }
  | { readonly type: "dispatch"; readonly id: number; readonly calls: readonly ToolCall[] }
  | { readonly type: "returned"; readonly value?: unknown; readonly isToolResult: boolean }
  | { readonly type: "threw"; readonly error: ThrownError };

export interface ThrownError {
  readonly name: string;
  readonly message: string;
  readonly code?: string;
  readonly retryable?: boolean;
}

export const CHANNEL_FD = 3;

/** The child's file descriptor over which its watchdog reports an exceeded limit. */
export const VERDICT_FD = 4;

/** The limits that a child enforces on itself: its only argument, as JSON. */
export interface ChildLimits {
  readonly wallTimeMs?: number | undefined;
  /** The id of the parent process, with which the child ends. */
  readonly parent: number;
  readonly memoryMb?: number | undefined;
  readonly cpuSeconds?: number | undefined;
}

/** Limits one message: both processes hold it several times. */
const MAX_BYTES: number = 64 * 1024 * 1024;

/** Writes a message as one line of JSON. Throws if JSON cannot express it, or if it is too long. */
export function toLine(message: ParentMessage | ChildMessage): string {
  const line = `${JSON.stringify(copyJson(message))}\n`;
  const size = Buffer.byteLength(line);
  if (size > MAX_BYTES) throw new RangeError(`it has ${size} bytes; at most ${MAX_BYTES} can be sent at once`);
  return line;
}

/** Splits the input of a channel into lines. A line that is too long is the last, and `undefined` for `onLine`. */
export function createLineReader(onLine: (line: string | undefined) => void): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let size = 0;
  let isTooLong = false;
  return (chunk) => {
    let rest = chunk;
    while (!isTooLong) {
      const end = rest.indexOf(10);
      const part = end < 0 ? rest : rest.subarray(0, end);
      size += part.length;
      if (size > MAX_BYTES) {
        isTooLong = true;
        parts = [];
        return onLine(undefined);
      }
      parts.push(part);
      if (end < 0) return;
      const line = Buffer.concat(parts).toString();
      parts = [];
      size = 0;
      rest = rest.subarray(end + 1);
      onLine(line);
    }
  };
}

/** Parses a line from the child; `undefined` for anything else, since a handler can write to the channel too. */
export function readChildMessage(line: string | undefined): ChildMessage | undefined {
  let message: unknown;
  try {
    message = JSON.parse(line ?? "");
  } catch {
    return undefined;
  }
  return isChildMessage(message) ? message : undefined;
}

function isChildMessage(message: unknown): message is ChildMessage {
  if (!isObject(message)) return false;
  const { type, id, calls, error, isToolResult, value, update } = message;
  switch (type) {
    case "began":
      return true;
    case "progress":
      return update !== undefined;
    case "dispatch":
      return Number.isSafeInteger(id) && Array.isArray(calls);
    case "returned":
      return isToolResult === false || (isToolResult === true && isObject(value));
    case "threw":
      return isThrownError(error);
    default:
      return false;
  }
}

function isThrownError(error: unknown): error is ThrownError & JsonValue {
  if (!isObject(error)) return false;
  const { name, message, code, retryable } = error;
  return (
    typeof name === "string" &&
    typeof message === "string" &&
    (code === undefined || typeof code === "string") &&
    (retryable === undefined || typeof retryable === "boolean")
  );
}
