import type { ConcurrencyClass } from "../tool/fields.js";
import type { ToolCall, ToolResult } from "../tool/definition.js";
import type { JsonValue } from "@hasp/schema";

/** What the child is told first: whom to call, with what. */
export interface StartMessage {
  readonly type: "start";
  readonly module: string;
  readonly exportName: string;
  readonly contextFactory: { readonly module: string; readonly exportName: string } | undefined;
  readonly input: unknown;
  readonly callId: string;
  readonly idempotencyKey: string;
  readonly class: ConcurrencyClass;
}

/** From the dispatcher's process to the child. */
export type ParentMessage =
  | StartMessage
  | { readonly type: "abort"; readonly message: string }
  | { readonly type: "dispatched"; readonly id: number; readonly results: readonly ToolResult[] };

/** From the child to the dispatcher's process. */
export type ChildMessage =
  | { readonly type: "progress"; readonly update: JsonValue }
  | { readonly type: "dispatch"; readonly id: number; readonly calls: readonly ToolCall[] }
  | { readonly type: "returned"; readonly value: unknown; readonly isToolResult: boolean }
  | { readonly type: "threw"; readonly error: ThrownError };

/** What of an error crosses the border. */
export interface ThrownError {
  readonly name: string;
  readonly message: string;
  readonly code?: string;
  readonly retryable?: boolean;
}

/** Bytes of one message: both processes hold it several times over. */
export const MOST_BYTES: number = 64 * 1024 * 1024;

/** What came over the channel, if it is what {@link ChildMessage} says: the handler can write to the channel, too. */
export function readChildMessage(message: unknown): ChildMessage | undefined {
  const { type, calls, error } = Object(message) as { readonly [key in "type" | "calls" | "error"]?: unknown };
  switch (type) {
    case "progress":
    case "returned":
      return message as ChildMessage;
    case "dispatch":
      return Array.isArray(calls) ? (message as ChildMessage) : undefined;
    case "threw":
      return typeof error === "object" && error !== null ? (message as ChildMessage) : undefined;
    default:
      return undefined;
  }
}
