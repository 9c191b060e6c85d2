export { aiSdkApprovals, type AiSdkApprovals } from "./to-ai-sdk-tools.js";
export { completeAiSdkCalls } from "./complete-calls.js";
export {
  toAiSdkTools,
  type AiSdkTool,
  type ToAiSdk7ToolsOptions,
  type ToAiSdkToolsOptions,
} from "./to-ai-sdk-tools.js";
export { type FilePart, type ImageDataPart } from "./tool-output.js";
