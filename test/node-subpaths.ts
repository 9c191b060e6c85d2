/** The subpaths of @hasp/handlers, @hasp/stores and @hasp/runtime, and their folders in `dist`, that may use what only Node has. */
export const NODE_SUBPATHS = ["node", "files", "http", "command", "oauth", "isolation"] as const;
