/** The subpaths of @hasp/handlers and @hasp/stores, and their folders in `dist`, that may use what only Node has. */
export const NODE_SUBPATHS = ["node", "files", "http", "command", "oauth", "isolation"] as const;
