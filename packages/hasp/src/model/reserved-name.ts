/**
 * Whether a name belongs to the runtime: its search for deferred tools, or the tools of MCP servers. No spec may take
 * it.
 */
export function isReservedName(name: string): boolean {
  return name === "tool_search" || name === "read_result" || name.startsWith("mcp__");
}
