import type { Importer } from "./importer.js";
import { readMcpTools } from "./mcp-list.js";

export const importMcp: Importer = { reads: "server", read: (source) => readMcpTools(source, "mcp") };
