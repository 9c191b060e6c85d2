export { askThroughElicitation, type ElicitingServer } from "./questions/ask-client.js";
export { lowerMcpServer } from "./lower-mcp-server.js";
export { createMcpHandler, type McpHandler } from "./over-http/create-mcp-handler.js";
export type { McpCaller, McpHandlerOptions, McpToolset } from "./over-http/mcp-handler-options.js";
export type { McpClient } from "./mcp-client.js";
export type { McpFetch } from "./open-mcp-client.js";
export { mcpQuestions, type McpQuestions, type McpQuestionsOptions } from "./questions/mcp-questions.js";
export { mcpTools, refreshMcpTools, type McpConnection, type McpToolsOptions } from "./mcp-tools.js";
export { mcpTasks, type McpTask, type McpTasks, type McpTasksOptions } from "./serving/mcp-tasks.js";
export {
  registerMcpTools,
  type McpServerConnection,
  type RegisterMcpToolsOptions,
} from "./serving/register-mcp-tools.js";
export { type CallToolResult, toCallToolResult, toToolCall } from "./serving/call-messages.js";
