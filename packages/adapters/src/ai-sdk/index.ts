export { aiSdkApprovals, type AiSdkApprovals } from "./to-ai-sdk-tools.js";
export {
  toAiSdkTools,
  type AiSdkCallOptions,
  type AiSdkInputSchema,
  type AiSdkTool,
  type ToAiSdk7ToolsOptions,
  type ToAiSdkToolsOptions,
} from "./to-ai-sdk-tools.js";
export {
  toModelOutput,
  toToolOutput,
  type AiSdkModelOutput,
  type AiSdkToolOutput,
  type FilePart,
  type ImageDataPart,
} from "./tool-output.js";
