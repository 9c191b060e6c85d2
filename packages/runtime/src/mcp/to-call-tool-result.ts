import type { JsonObject, JsonValue } from "@hasp/schema";
import type { ToolContent, ToolResult } from "../contract/definition.js";

/** A content block of MCP. */
export type McpContent =
  | { type: "text"; text: string }
  | { type: "image"; data: string; mimeType: string }
  | { type: "resource"; resource: { uri: string; mimeType?: string; text: string } }
  | { type: "resource_link"; uri: string; name: string; mimeType?: string };

/** What `tools/call` answers. */
export interface CallToolResult {
  [key: string]: unknown;
  content: McpContent[];
  structuredContent?: { [key: string]: unknown };
  isError?: boolean;
}

/**
 * A result as `tools/call` answers it, in the form that the revisions of 2025-11-25 and 2026-07-28 both take: structured
 * content only where it is an object.
 */
export function toCallToolResult({ content, output, isError }: ToolResult): CallToolResult {
  return {
    content: content.map(toMcpContent),
    ...(output !== undefined && isObject(output) && { structuredContent: output }),
    isError,
  };
}

function toMcpContent(block: ToolContent): McpContent {
  if (block.type !== "resource") return { ...block };
  const { uri, mimeType, text } = block;
  const type = mimeType === undefined ? {} : { mimeType };
  return text === undefined
    ? { type: "resource_link", uri, name: uri, ...type }
    : { type: "resource", resource: { uri, text, ...type } };
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
