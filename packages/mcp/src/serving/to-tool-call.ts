import type { ToolCall } from "@hasp/runtime";

/** Reads the call of a `tools/call` request; `id` is the request's own. */
export function toToolCall(
  request: { readonly name: string; readonly arguments?: unknown },
  id: string | number,
): ToolCall {
  return { id: String(id), name: request.name, input: request.arguments ?? {} };
}
