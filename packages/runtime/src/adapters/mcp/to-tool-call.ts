import type { ToolCall } from "../../tool/definition.js";

/** A `tools/call` request as a call; `id` is the request's own. */
export function toToolCall(
  request: { readonly name: string; readonly arguments?: unknown },
  id: string | number,
): ToolCall {
  return { id: String(id), name: request.name, input: request.arguments ?? {} };
}
