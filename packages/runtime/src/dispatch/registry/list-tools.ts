import type { JsonObject } from "@hasp/schema";
import type { ExcludedTool } from "../state/dispatcher-types.js";
import type { AnyTool } from "../../tool/tool.js";

/** Whether a list for this dialect can hold anything. Without tools, any dialect will do. */
export function hasDialect(dialect: string, tools: readonly AnyTool[]): boolean {
  return tools.length === 0 || tools.some((tool) => tool.knowsDialect(dialect));
}

/**
 * The entries of a provider's list. A compiled tool carries its own; a hand-built one is listed with its schema as
 * given, where the dialect takes that. Throws a `RangeError` for an unknown dialect.
 */
export function listTools(
  tools: readonly AnyTool[],
  dialect: string,
  options: { readonly keepDeferred: boolean; readonly report: (excluded: ExcludedTool) => void },
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
      message: `${tool.name} has no entry for "${dialect}", which accepts only lowered schemas: compile the tool from a spec, or lower its MCP server with \`lowerMcpServer\`.`,
    });
    return [];
  });
}

/** Marks a tool that the provider's own search loads; one that `tool_search` has loaded must not be deferred again. */
function withDeferral(entry: JsonObject, { metadata }: AnyTool, dialect: string, keepDeferred: boolean): JsonObject {
  const { defer_loading: _ours, ...rest } = entry;
  if (!keepDeferred) return _ours === undefined ? entry : rest;
  const takesIt = dialect === "anthropic" || dialect === "openai-responses";
  return takesIt && metadata.visibility.shouldDefer ? { ...rest, defer_loading: true } : entry;
}
