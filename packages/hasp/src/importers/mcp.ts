import type { Importer } from "./importer.js";
import { readMcpTools } from "./mcp-list.js";

/** Reads the tools of a running MCP server, as it listed them a moment ago. */
export const importMcp: Importer = { reads: "server", read: (source) => readMcpTools(source, "mcp") };
