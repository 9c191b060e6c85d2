// The imports of the modules that `hasp build` generates.
export { mcpConnection, type McpConnectionOptions, type McpHandlerConnection } from "./mcp-connection.js";
export { mcpHandler } from "./mcp-handler.js";
