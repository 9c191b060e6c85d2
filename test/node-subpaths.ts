/** The subpaths of @hasp/runtime and @hasp/stores, and their folders, that may use what only Node has. */
export const NODE_SUBPATHS = ["node", "files", "http", "command", "oauth"] as const;
