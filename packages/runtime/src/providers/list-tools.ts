import type { JsonObject } from "@hasp/schema";
import type { LeftOut } from "../dispatch/dispatcher-types.js";
import type { AnyTool } from "../tool/tool.js";
import { hasDialect } from "./dialect-names.js";

/**
 * The entries of a provider's list. A compiled tool carries its own; a hand-built one is listed with its schema as
 * given, where the dialect takes that. Throws a `RangeError` for a dialect that nobody knows.
 */
export function listTools(
  tools: readonly AnyTool[],
  dialect: string,
  options: { readonly keepDeferred: boolean; readonly report: (leftOut: LeftOut) => void },
): readonly JsonObject[] {
  if (!hasDialect(dialect, tools)) {
    throw new RangeError(`No dialect is called "${dialect}", and no tool was compiled for it.`);
  }
  return tools.flatMap((tool) => {
    const entry = tool.definitionFor(dialect);
    if (entry !== undefined) return [withDeferral(entry, tool, dialect, options.keepDeferred)];
    options.report({
      toolName: tool.name,
      code: "not-in-dialect",
      message: `${tool.name} has no entry for "${dialect}", which takes lowered schemas only: compile the tool from a spec, or lower its MCP server with \`lowerMcpServer\`.`,
    });
    return [];
  });
}

/**
 * Says in the provider's word that its own search is to load a tool; what ours has loaded must not be deferred again.
 */
function withDeferral(entry: JsonObject, { metadata }: AnyTool, dialect: string, keepDeferred: boolean): JsonObject {
  const { defer_loading: _ours, ...rest } = entry;
  if (!keepDeferred) return _ours === undefined ? entry : rest;
  const takesIt = dialect === "anthropic" || dialect === "openai-responses";
  return takesIt && metadata.visibility.shouldDefer ? { ...rest, defer_loading: true } : entry;
}
