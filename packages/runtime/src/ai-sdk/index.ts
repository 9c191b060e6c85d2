export { aiSdkApprovals, type AiSdkApprovals } from "./approvals.js";
export {
  toAiSdkTools,
  type AiSdkCallOptions,
  type AiSdkInputSchema,
  type AiSdkTool,
  type ToAiSdkToolsOptions,
} from "./to-ai-sdk-tools.js";
export { toModelOutput, toToolOutput, type AiSdkModelOutput, type AiSdkToolOutput } from "./tool-output.js";
