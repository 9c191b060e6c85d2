import type { Importer } from "./importer.js";
import { readMcpTools } from "./mcp-list.js";

/** Reads the tools that a running MCP server lists. */
export const importMcp: Importer = { reads: "server", read: (source) => readMcpTools(source, "mcp") };
