export {
  toToolCalls,
  toToolResultBlocks,
  type AnthropicImageType,
  type AnthropicMessage,
  type AnthropicResultContent,
  type AnthropicToolResult,
} from "./anthropic-tool-results.js";
export {
  toAnthropicRunnableTools,
  type AnthropicRunContext,
  type AnthropicRunnableTool,
  type ToAnthropicRunnableToolsOptions,
} from "./anthropic-runnable-tools.js";
