export { fromMcpClient, type McpClient, type FromMcpClientOptions } from "./from-mcp-client.js";
export { lowerMcpServer } from "./lower-mcp-server.js";
export { toCallToolResult, type CallToolResult, type McpContent } from "./to-call-tool-result.js";
export { toToolCall } from "./to-tool-call.js";
