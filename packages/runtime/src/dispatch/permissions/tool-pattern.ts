import type { ToolPattern } from "./permission-types.js";
import type { AnyTool } from "../../tool/tool.js";

/** A tool as rules name it. */
export interface NamedTool {
  readonly tool: AnyTool;
  /** Present for a tool of a live MCP server. */
  readonly server?: { readonly name: string; readonly toolName: string };
}

/** Whether a name matches a pattern in which `*` stands for any characters and nothing else is special. */
export function matchesPattern(pattern: string, name: string): boolean {
  if (!pattern.includes("*")) return pattern === name;
  const parts = pattern.split("*");
  const first = parts.shift() ?? "";
  const last = parts.pop() ?? "";
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length) return false;
  let from = first.length;
  const until = name.length - last.length;
  for (const part of parts) {
    const found = name.indexOf(part, from);
    if (found < 0 || found + part.length > until) return false;
    from = found + part.length;
  }
  return true;
}

/** Whether a pattern names a tool, by its name or an alias. */
export function namesTool(pattern: ToolPattern, { tool, server }: NamedTool): boolean {
  if (typeof pattern === "string") return [tool.name, ...tool.aliases].some((name) => matchesPattern(pattern, name));
  return (
    server !== undefined &&
    matchesPattern(pattern.server, server.name) &&
    // A tool of a server may be named as the server does, or as the model does.
    (matchesPattern(pattern.tool, server.toolName) || matchesPattern(pattern.tool, tool.name))
  );
}

/** Whether an allow is for a tool: by its own name or as its server names it, never by an alias. */
export function allowNamesTool(
  { tool, server }: { readonly tool: string; readonly server?: string | undefined },
  entry: NamedTool,
): boolean {
  if (server !== undefined) return namesTool({ server, tool }, entry);
  return entry.server === undefined && matchesPattern(tool, entry.tool.name);
}

/** Whether a pattern names more than one tool. */
export function hasWildcard({
  tool,
  server,
}: {
  readonly tool: string;
  readonly server?: string | undefined;
}): boolean {
  return tool.includes("*") || server?.includes("*") === true;
}
