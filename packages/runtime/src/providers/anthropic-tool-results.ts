import type { ToolCall, ToolContent, ToolResult } from "../tool/definition.js";
import { findImage } from "../results/content.js";
import { blockText } from "../results/text.js";
import { withTruncation, readWord } from "./tool-call.js";

/** The parts of an Anthropic message that hold calls. */
export interface AnthropicMessage {
  readonly content: readonly {
    readonly type: string;
    readonly id?: unknown;
    readonly name?: unknown;
    readonly input?: unknown;
  }[];
  readonly stop_reason?: string | null;
}

/** A block inside a `tool_result`. */
export type AnthropicResultContent =
  | { type: "text"; text: string }
  | { type: "image"; source: { type: "base64"; media_type: AnthropicImageType; data: string } };
/** The image types that the API accepts. */
export type AnthropicImageType = "image/jpeg" | "image/png" | "image/gif" | "image/webp";

/** The result of one call, for the next user message, before any text in it. */
export interface AnthropicToolResult {
  type: "tool_result";
  tool_use_id: string;
  content: AnthropicResultContent[];
  is_error?: true;
}

/** Reads the calls of a response, in order. A call that was cut off is marked and never runs. */
export function toToolCalls(message: AnthropicMessage): readonly ToolCall[] {
  const calls = message.content.flatMap((block): ToolCall[] =>
    block.type === "tool_use" ? [{ id: readWord(block.id), name: readWord(block.name), input: block.input }] : [],
  );
  const endsInCall = message.content.at(-1)?.type === "tool_use";
  return withTruncation(calls, message.stop_reason === "max_tokens" && endsInCall);
}

/** Returns one `tool_result` block per call, for the start of the next user message. */
export function toToolResultBlocks(results: readonly ToolResult[]): AnthropicToolResult[] {
  return results.map(({ callId, content, isError }) => ({
    type: "tool_result",
    tool_use_id: callId,
    // The API refuses a whole request for one empty text.
    content: content.map(toBlock).filter((block) => block.type !== "text" || block.text !== ""),
    ...(isError && { is_error: true as const }),
  }));
}

function toBlock(block: ToolContent): AnthropicResultContent {
  const { mimeType = "", data = "" } = findImage(block) ?? {};
  if (isImageType(mimeType)) return { type: "image", source: { type: "base64", media_type: mimeType, data } };
  return { type: "text", text: blockText(block) };
}

function isImageType(mimeType: string): mimeType is AnthropicImageType {
  return ["image/jpeg", "image/png", "image/gif", "image/webp"].includes(mimeType);
}
