import type { JsonObject } from "@hasp/schema";
import { isObject } from "@hasp/base/json";
import type { ToolContent } from "../tool/definition.js";
import { createResourceContent } from "./content.js";
import { isToolResult, toolResult } from "./tool-result.js";

/** Turns the result of `tools/call` into a tool result; any other value passes unchanged. */
export function fromCallToolResult(answer: unknown): unknown {
  if (isToolResult(answer)) return answer;
  if (typeof answer !== "object" || answer === null || !("content" in answer) || !Array.isArray(answer.content)) {
    return answer;
  }
  const { content, structuredContent, isError, _meta } = answer as {
    content: readonly unknown[];
    structuredContent?: unknown;
    isError?: unknown;
    _meta?: unknown;
  };
  return toolResult({
    content: content.map((block) => (isWhole(block) ? showContent(block) : withOriginal(block))),
    output: structuredContent,
    isError: isError !== undefined && isError !== false,
    ...(_meta !== undefined && { details: { _meta } }),
  });
}

function withOriginal(block: unknown): ToolContent {
  return isObject(block) ? { ...showContent(block), mcp: block as JsonObject } : showContent(block);
}

/** True if {@link showContent} expresses the whole block. */
function isWhole(block: unknown): boolean {
  if (!isObject(block)) return true;
  const { type, resource } = block as McpBlock;
  const has = (value: object, names: readonly string[]): boolean =>
    Object.keys(value).every((name) => names.includes(name));
  switch (type) {
    case "text":
      return has(block, ["type", "text"]);
    case "image":
      return has(block, ["type", "data", "mimeType"]);
    case "resource":
      return has(block, ["type", "resource"]) && has(Object(resource), ["uri", "mimeType", "text", "blob"]);
    default:
      return false;
  }
}

interface McpBlock {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly data?: unknown;
  readonly mimeType?: unknown;
  readonly uri?: unknown;
  readonly name?: unknown;
  readonly resource?: {
    readonly uri?: unknown;
    readonly mimeType?: unknown;
    readonly text?: unknown;
    readonly blob?: unknown;
  };
}

export function showContent(block: unknown): ToolContent {
  const { type, text, data, mimeType, uri, name, resource } = (
    typeof block === "object" && block !== null ? block : {}
  ) as McpBlock;
  if (type === "text" && typeof text === "string") return { type, text };
  if (type === "image" && typeof data === "string" && typeof mimeType === "string") return { type, data, mimeType };
  if (type === "resource" && typeof resource?.uri === "string") {
    return createResourceContent({ ...resource, uri: resource.uri });
  }
  if (type === "resource_link" && typeof uri === "string") return createResourceContent({ uri, mimeType, text: name });
  return { type: "text", text: `[a block of type ${JSON.stringify(type) ?? "unknown"}, which cannot be shown here]` };
}
