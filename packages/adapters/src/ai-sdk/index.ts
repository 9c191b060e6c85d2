export {
  aiSdkApprovals,
  type AiSdkApprovals,
  toAiSdkTools,
  type AiSdkTool,
  type ToAiSdk7ToolsOptions,
  type ToAiSdkToolsOptions,
} from "./to-ai-sdk-tools.js";
export { completeAiSdkCalls } from "./complete-calls.js";
export { type FilePart, type ImageDataPart } from "./tool-output.js";
