import type { JsonValue } from "@hasp/schema";
import type { ToolContent, ToolError, ToolResult } from "../contract/definition.js";
import { blockText, plainText } from "../results/plain-text.js";

/**
 * What `execute` answers to the AI SDK, and what a screen gets from its stream: JSON, so that it survives being stored. The
 * result's `details` stay on the server.
 */
export interface AiSdkToolOutput {
  readonly isError: boolean;
  readonly content: readonly ToolContent[];
  readonly output?: JsonValue;
  readonly error?: Pick<ToolError, "phase" | "code" | "message" | "effect">;
}

/** What the AI SDK sends to the model for one call. */
export type AiSdkModelOutput =
  | { type: "text"; value: string }
  | { type: "error-text"; value: string }
  | { type: "content"; value: ({ type: "text"; text: string } | { type: "image-data"; data: string; mediaType: string })[] };

/** A result as the AI SDK keeps it. */
export function toToolOutput({ isError, content, output, error }: ToolResult): AiSdkToolOutput {
  return {
    isError,
    content,
    ...(output !== undefined && { output }),
    ...(error !== undefined && {
      error: { phase: error.phase, code: error.code, message: error.message, effect: error.effect },
    }),
  };
}

/** The model's view of such an output: an error as an error, images as images. */
export function toModelOutput({ isError, content }: AiSdkToolOutput): AiSdkModelOutput {
  if (isError) return { type: "error-text", value: plainText(content) };
  if (!content.some((block) => block.type === "image")) return { type: "text", value: plainText(content) };
  return {
    type: "content",
    value: content.map((block) =>
      block.type === "image"
        ? { type: "image-data", data: block.data, mediaType: block.mimeType }
        : { type: "text", text: blockText(block) },
    ),
  };
}
