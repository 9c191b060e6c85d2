/** Words that cannot name a binding in a module, in the order of the ECMAScript specification's lists. */
export const RESERVED_WORDS: readonly string[] = (
  "await break case catch class const continue debugger default delete do else enum export extends false finally for " +
  "function if import in instanceof new null return super switch this throw true try typeof var void while with yield " +
  "implements interface let package private protected public static arguments eval"
).split(" ");

/** Matches the name of a plugin's part, which begins with the name of the plugin: `acme/needs-owner`. */
export const PART_NAME = "^[a-z][a-z0-9-]*/[a-z][a-z0-9-]*$";

/** True for names that belong to the runtime: its search for deferred tools and the tools of MCP servers. */
export function isReservedName(name: string): boolean {
  return name === "tool_search" || name === "read_result" || name.startsWith("mcp__");
}
