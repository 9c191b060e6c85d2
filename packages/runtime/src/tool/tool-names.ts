/** The pattern of names and aliases of tools. */
const TOOL_NAME: RegExp = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

/** The name of the tool that loads deferred tools. */
export const TOOL_SEARCH = "tool_search";

export const READ_RESULT = "read_result";

export const RUN_PROGRAM = "run_program";

/** The name of the tool that declares tools for programs. */
export const SEARCH_TOOLS = "search_tools";

/** The names of the tools that a dispatcher itself offers. */
export const BUILT_IN_TOOLS: readonly string[] = [TOOL_SEARCH, READ_RESULT, RUN_PROGRAM, SEARCH_TOOLS];

export const MCP_PREFIX = "mcp__";

/** Returns why a name is not allowed for a tool or an alias, or `undefined` if it is. */
export function nameFault(name: unknown): string | undefined {
  if (typeof name !== "string" || !TOOL_NAME.test(name)) {
    return "must begin with a letter and have at most 64 letters, digits, `_` and `-`";
  }
  if (name.startsWith(MCP_PREFIX)) {
    return `must not begin with \`${MCP_PREFIX}\`, which is reserved for tools of MCP servers`;
  }
  if (name === TOOL_SEARCH) return "is reserved for the tool that loads deferred tools; choose another";
  if (name === READ_RESULT) return "is reserved for the tool that reads stored results; choose another";
  return undefined;
}
