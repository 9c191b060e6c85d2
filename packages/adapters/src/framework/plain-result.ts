import type { JsonValue } from "@hasp/schema";
import type { ToolContent, ToolError, ToolResult } from "@hasp/runtime";

/** A result as frameworks keep it: JSON, so that it can be stored. The result's `details` stay on the server. */
export interface PlainResult {
  readonly isError: boolean;
  readonly content: readonly ToolContent[];
  readonly output?: JsonValue;
  readonly error?: Pick<ToolError, "phase" | "code" | "message" | "effect">;
}

/** Picks the part of a result that may be stored and shown. */
export function toPlainResult({ isError, content, output, error }: ToolResult): PlainResult {
  return {
    isError,
    content,
    ...(output !== undefined && { output }),
    ...(error !== undefined && {
      error: { phase: error.phase, code: error.code, message: error.message, effect: error.effect },
    }),
  };
}
