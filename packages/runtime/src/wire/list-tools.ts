import type { JsonObject } from "@hasp/schema";
import type { LeftOut } from "../contract/dispatcher.js";
import type { AnyTool } from "../contract/tool.js";
import type { ToolEntry } from "../dispatch/tool-entry.js";
import { hasDialect, wrapTool } from "./wrap-tool.js";

/**
 * The entries of a provider's list. A compiled tool carries its own; a hand-built one is listed with its schema as given,
 * where the dialect has a shape for that.
 */
export function listTools(
  entries: readonly ToolEntry[],
  dialect: string,
  options: { readonly keepDeferred: boolean; readonly report: (leftOut: LeftOut) => void },
): readonly JsonObject[] {
  const known = hasDialect(dialect, entries);
  if (!known) throw new RangeError(`No dialect is called "${dialect}", and no tool was compiled for it.`);
  return entries.flatMap((entry) => {
    const { tool } = entry;
    const own = Object.hasOwn(tool.dialects, dialect) ? tool.dialects[dialect]?.definition : undefined;
    if (own !== undefined) return [options.keepDeferred ? own : withoutDeferral(own)];
    const wrapped = wrapTool(entry, dialect);
    if (wrapped !== undefined) return [options.keepDeferred ? withDeferral(wrapped, tool, dialect) : wrapped];
    options.report({
      toolName: tool.name,
      code: "not-in-dialect",
      message: `${tool.name} has no entry for "${dialect}": compile it for that dialect, or lower it with @hasp/runtime/mcp.`,
    });
    return [];
  });
}

/** Our own search loaded it, so the provider must not defer it a second time. */
function withoutDeferral(definition: JsonObject): JsonObject {
  if (!Object.hasOwn(definition, "defer_loading")) return definition;
  return Object.fromEntries(Object.entries(definition).filter(([key]) => key !== "defer_loading"));
}

/** Where the provider's own search is to load a tool, its entry says so in the provider's word. */
function withDeferral(definition: JsonObject, tool: AnyTool, dialect: string): JsonObject {
  const takesIt = dialect === "anthropic" || dialect === "openai-responses";
  return takesIt && tool.metadata.visibility.shouldDefer ? { ...definition, defer_loading: true } : definition;
}
