/** What a tool's own name and its aliases look like. */
export const TOOL_NAME: RegExp = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

/** The name of the tool that loads deferred tools. */
export const TOOL_SEARCH = "tool_search";

/** Begins the name of every tool of a live MCP server. */
export const MCP_PREFIX = "mcp__";

/** Why a name may not be used for a tool or an alias; `undefined` if it may. */
export function nameFault(name: unknown): string | undefined {
  if (typeof name !== "string" || !TOOL_NAME.test(name)) {
    return "must begin with a letter and have at most 64 letters, digits, `_` and `-`";
  }
  if (name.startsWith(MCP_PREFIX)) {
    return `must not begin with \`${MCP_PREFIX}\`, which is kept for tools of MCP servers`;
  }
  if (name === TOOL_SEARCH) return "is kept for the tool that loads deferred tools; choose another";
  return undefined;
}
