import { isList } from "../../../runtime/src/json/records.js";
import type { AnyTool } from "@hasp/runtime";
import type { McpToolset } from "./mcp-handler-options.js";
import type { ToolsetOnOffer } from "./served-toolsets.js";

type Toolsets = Readonly<Record<string, readonly string[] | McpToolset<string>>>;

/**
 * Returns the toolsets of the options, with the tools themselves. `leftOut` are names that are accepted although the
 * bundler dropped their tools. Throws a `TypeError` for any other name without a tool.
 */
export function offeredToolsets(
  toolsets: Toolsets | undefined,
  all: readonly AnyTool[],
  leftOut: readonly string[],
): ReadonlyMap<string, ToolsetOnOffer> | undefined {
  if (toolsets === undefined) return undefined;
  const known = new Set([...all.map(({ name }) => name), ...leftOut]);
  return new Map(
    Object.entries(toolsets).map(([toolset, offer]) => {
      const { tools, policy } = isList(offer) ? { tools: offer, policy: undefined } : offer;
      const unknown = tools.find((name) => !known.has(name));
      if (unknown !== undefined) throw new TypeError(`createMcpHandler: \`toolsets\` names no tool: "${unknown}".`);
      const names = new Set(tools);
      return [toolset, { tools: all.filter(({ name }) => names.has(name)), policy }];
    }),
  );
}
