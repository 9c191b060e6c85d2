export { askThroughElicitation, type ElicitingServer } from "./questions/ask-client.js";
export { lowerMcpServer, type NotLowered } from "./lower-mcp-server.js";
export { createMcpHandler, type McpHandler } from "./over-http/create-mcp-handler.js";
export type {
  McpAuthenticate,
  McpCaller,
  McpHandlerOptions,
  McpServerInfo,
  McpToolset,
} from "./over-http/mcp-handler-options.js";
export type { ListedTool, McpCallOptions, McpCallParams, McpClient } from "./mcp-client.js";
export { mcpQuestions, type McpQuestions, type McpQuestionsOptions } from "./questions/mcp-questions.js";
export { mcpTools, refreshMcpTools, type McpConnection, type McpToolsOptions } from "./mcp-tools.js";
export type { McpEndpoint, McpFetch } from "./open-mcp-client.js";
export {
  mcpTasks,
  type McpTask,
  type McpTasks,
  type McpTasksOptions,
  type TaskCall,
  type TaskMethod,
} from "./serving/mcp-tasks.js";
export {
  registerMcpTools,
  type McpServerConnection,
  type RegisterMcpToolsOptions,
} from "./serving/register-mcp-tools.js";
export type { AnswerLink } from "./serving/stored-mcp-calls.js";
export { type CallToolResult, type McpContent, toCallToolResult, toToolCall } from "./serving/call-messages.js";
