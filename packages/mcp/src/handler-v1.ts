export { mcpConnection, type McpHandlerConnection } from "./mcp-connection.js";
export { mcpHandler } from "./mcp-handler.js";
