import type { Importer } from "./source/importer.js";
import { readMcpTools } from "./mcp-list.js";

export const importMcp: Importer = { reads: "server", read: (source) => readMcpTools(source, "mcp") };
