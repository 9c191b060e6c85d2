export {
  toToolCalls,
  toToolResultBlocks,
  type AnthropicImageType,
  type AnthropicMessage,
  type AnthropicResultContent,
  type AnthropicToolResult,
} from "./tool-results.js";
export {
  toAnthropicRunnableTools,
  type AnthropicRunContext,
  type AnthropicRunnableTool,
  type ToAnthropicRunnableToolsOptions,
} from "./to-runnable-tools.js";
