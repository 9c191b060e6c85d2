import { dialects, lower, wireNames, type DialectId, type JsonSchema } from "@hasp/schema";
import type { ToolDialect } from "../contract/definition.js";
import type { McpServer, McpTool } from "../contract/dispatcher.js";
import { mcpName } from "../dispatch/mcp-entry.js";
import { knownKeywordsOnly } from "../wire/known-keywords.js";

/** Why a tool is not in a dialect's list. */
export interface NotLowered {
  readonly tool: string;
  readonly dialect: DialectId;
  readonly messages: readonly string[];
}

/**
 * Lowers the tools of a live server to dialects that do not take every schema, at run time: each entry then carries its
 * provider's definition and the decoder for what comes back. A tool that a dialect cannot carry stays out of that list.
 */
export function lowerMcpServer(
  server: McpServer,
  dialectIds: readonly DialectId[],
  report: (notLowered: NotLowered) => void = () => undefined,
): McpServer {
  const names = server.tools.map((tool) => mcpName(server.server, tool.name));
  const tools = server.tools.map((tool, index): McpTool => {
    const lowered = dialectIds.flatMap((id) => {
      const name = names[index] ?? "";
      const entry = lowerTool(tool, name, wireNames(names, dialects[id]).get(name) ?? name, id, report);
      return entry === undefined ? [] : [[id, entry] as const];
    });
    return { ...tool, dialects: { ...tool.dialects, ...Object.fromEntries(lowered) } };
  });
  return { ...server, tools };
}

function lowerTool(
  tool: McpTool,
  name: string,
  wireName: string,
  id: DialectId,
  report: (notLowered: NotLowered) => void,
): ToolDialect | undefined {
  const { schema, codec, diagnostics } = lower(knownKeywordsOnly(tool.inputSchema), id, { witnessBudget: 0 });
  if (schema === undefined) {
    report({ tool: name, dialect: id, messages: diagnostics.map((diagnostic) => diagnostic.message) });
    return undefined;
  }
  return {
    ...(wireName !== name && { name: wireName }),
    ...(codec !== undefined && { codec }),
    definition: wrap(tool, wireName, schema, id),
  };
}

function wrap(
  { title, description = "", shouldDefer }: McpTool,
  name: string,
  input: JsonSchema,
  id: DialectId,
): NonNullable<ToolDialect["definition"]> {
  return dialects[id].wrap({
    name,
    ...(title !== undefined && { title }),
    description,
    input,
    strict: id.endsWith("-strict"),
    deferred: shouldDefer === true,
    // A stranger's hints are not passed on as if they were ours: the strict ones stand.
    hints: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
  });
}
