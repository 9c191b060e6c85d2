import { canonicalText, sha256 } from "@hasp/base/json";
import type { ToolPattern } from "./permission-types.js";
import type { AnyTool } from "../../tool/definition.js";
import type { JsonValue } from "@hasp/schema";

export interface NamedTool {
  readonly tool: AnyTool;
  /** Set for a tool of a live MCP server. */
  readonly server?: { readonly name: string; readonly toolName: string; readonly isPinned: boolean };
  /** Set if a call holds no place while it runs: the calls that it makes enter, and are decided, one by one. */
  readonly holds?: "nothing";
}

/** Matches a name against a pattern in which only `*` is special. */
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

export function namesTool(pattern: ToolPattern, { tool, server, holds }: NamedTool): boolean {
  // Only its own name is a vote on it.
  if (holds === "nothing") return pattern === tool.name;
  if (typeof pattern === "string") return [tool.name, ...tool.aliases].some((name) => matchesPattern(pattern, name));
  return (
    server !== undefined &&
    matchesPattern(pattern.server, server.name) &&
    // A pattern may use the server's name for the tool, or the model's.
    (matchesPattern(pattern.tool, server.toolName) || matchesPattern(pattern.tool, tool.name))
  );
}

/** True if an allow names a tool, by its own name or the server's, never by an alias. */
export function allowNamesTool(
  { tool, server }: { readonly tool: string; readonly server?: string | undefined },
  entry: NamedTool,
): boolean {
  if (server !== undefined) return namesTool({ server, tool }, entry);
  if (entry.holds === "nothing") return tool === entry.tool.name;
  return entry.server === undefined && matchesPattern(tool, entry.tool.name);
}

export function hasWildcard({
  tool,
  server,
}: {
  readonly tool: string;
  readonly server?: string | undefined;
}): boolean {
  return tool.includes("*") || server?.includes("*") === true;
}

/** Prints the members by which rules and allows name a tool. */
export function printNames({ tool, server }: Partial<NamedTool> = {}): string {
  return server === undefined ? `tool: "${tool?.name}"` : `server: "${server.name}", tool: "${server.toolName}"`;
}

/** Digests everything that a person may have seen of a tool: another definition is another tool. */
export function digestDefinition({ tool }: NamedTool): string {
  const { name, title = "", description, input, output = null, metadata, external } = tool;
  const defined = { name, title, description, input, output, metadata, ...(external && { external }) };
  return sha256(canonicalText(defined as unknown as JsonValue));
}
