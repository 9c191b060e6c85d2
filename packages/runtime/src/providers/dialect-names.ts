import type { AnyTool } from "../tool/tool.js";

/**
 * Whether a list for this dialect can hold anything: some tool knows it. Where there are no tools, nothing speaks
 * against it.
 */
export function hasDialect(dialect: string, tools: readonly AnyTool[]): boolean {
  return tools.length === 0 || tools.some((tool) => tool.knowsDialect(dialect));
}
