/** The subpaths of @hasp/runtime, and their folders, that may use what only Node has. */
export const NODE_SUBPATHS = ["node", "http", "command", "oauth"] as const;
