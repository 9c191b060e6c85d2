export { askThroughElicitation, type ElicitingServer } from "./ask-through-elicitation.js";
export { lowerMcpServer, type NotLowered } from "./lower-mcp-server.js";
export type { ListedTool, McpCallOptions, McpCallParams, McpClient } from "./mcp-client.js";
export { mcpTools, refreshMcpTools, type McpConnection, type McpToolsOptions } from "./mcp-tools.js";
export { registerMcpTools, type McpServerConnection, type RegisterMcpToolsOptions } from "./register-mcp-tools.js";
export { toCallToolResult, type CallToolResult, type McpContent } from "./to-call-tool-result.js";
export { toToolCall } from "./to-tool-call.js";
