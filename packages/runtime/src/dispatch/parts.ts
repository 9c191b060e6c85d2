import type { LeftOut, McpServer } from "../contract/dispatcher.js";
import type { ToolEntry } from "./tool-entry.js";

/** Parts of a dispatcher that make tools of their own, and so bring along the validator: the core does without. */
export interface DispatcherParts {
  /** The tools of live MCP servers. */
  readonly mcpEntries: (servers: readonly McpServer[], report: (leftOut: LeftOut) => void) => readonly ToolEntry[];
  /** The tool that finds and loads deferred tools. */
  readonly toolSearch: (deferred: readonly ToolEntry[], load: (names: readonly string[]) => void) => ToolEntry;
}

/** The parts of `@hasp/runtime/core`: each says where the real one is. */
export const NO_PARTS: DispatcherParts = {
  mcpEntries: ([server]) => {
    if (server === undefined) return [];
    throw new TypeError("`mcp`: the dispatcher of @hasp/runtime/core has no live MCP servers; take the one of @hasp/runtime.");
  },
  toolSearch: () => {
    throw new TypeError(
      "A tool is deferred, and the dispatcher of @hasp/runtime/core has no tool_search; take the one of @hasp/runtime, or say `deferral: \"provider\"`.",
    );
  },
};
