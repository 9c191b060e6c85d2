import type { ToolContent, ToolResult, ToolCall } from "@hasp/runtime";
import { showContent } from "@hasp/runtime/internal";
import { isObject } from "@hasp/base/json";

type McpContent =
  | { type: "text"; text: string }
  | { type: "image"; data: string; mimeType: string }
  | { type: "resource"; resource: { uri: string; mimeType?: string; text: string } }
  | { type: "resource"; resource: { uri: string; mimeType?: string; blob: string } }
  | { type: "resource_link"; uri: string; name: string; mimeType?: string }
  | { type: "audio"; data: string; mimeType: string };

export interface CallToolResult {
  [key: string]: unknown;
  content: McpContent[];
  /** An object, as the types of the official packages have it; clients of 2026-07-28 may get any JSON value. */
  structuredContent?: { [key: string]: unknown };
  isError?: boolean;
}

/** Converts a result for clients: structured content only if it is an object, unless the client takes any value. */
export function toCallToolResult(
  { content, output, isError }: ToolResult,
  { promised = false, takesAnyOutput = false }: StructuredPromise = {},
): CallToolResult {
  const blocks = content.map(toMcpContent);
  if (output !== undefined && (takesAnyOutput || isObject(output))) {
    return { content: blocks, structuredContent: output as { [key: string]: unknown }, isError };
  }
  if (isError || !promised) return { content: blocks, isError };
  return { content: [{ type: "text", text: WITHHELD }, ...blocks], isError: true };
}

interface StructuredPromise {
  /** True if the tool's entry in the list has an output schema. */
  readonly promised?: boolean;
  readonly takesAnyOutput?: boolean;
}

/** Replaces structured content that the list promises: clients refuse a result without it, unless it is an error. */
const WITHHELD =
  "The call was executed and must not be repeated. The host withheld its structured output; the rest of the result follows.";

function toMcpContent({ mcp, ...block }: ToolContent): McpContent {
  // A hook may have changed the shown text, and then the original must not be sent instead.
  if (mcp !== undefined && isSame(showContent(mcp), block)) return { ...mcp } as McpContent;
  if (block.type !== "resource") return { ...block };
  const { uri, mimeType, text, blob } = block;
  const type = mimeType === undefined ? {} : { mimeType };
  if (blob !== undefined) return { type: "resource", resource: { uri, blob, ...type } };
  return text === undefined
    ? { type: "resource_link", uri, name: uri, ...type }
    : { type: "resource", resource: { uri, text, ...type } };
}

function isSame(one: object, other: object): boolean {
  const members = Object.entries(one);
  return (
    members.length === Object.keys(other).length &&
    members.every(([name, value]) => (other as { readonly [name: string]: unknown })[name] === value)
  );
}

/** Reads the call of a `tools/call` request; `id` is the request's own. */
export function toToolCall(
  request: { readonly name: string; readonly arguments?: unknown },
  id: string | number,
): ToolCall {
  return { id: String(id), name: request.name, input: request.arguments ?? {} };
}

export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;

export class RequestError extends Error {
  readonly code: number;
  readonly data: object | undefined;

  constructor(code: number, message: string, data?: object) {
    super(message);
    this.code = code;
    this.data = data;
  }
}
