export { openAIAgentsApprovals, type OpenAIAgentsApprovals } from "./to-openai-agents-tools.js";
export type { CallAnswer, CallQuestion } from "../framework/approvals.js";
export {
  toOpenAIAgentsTools,
  type OpenAIAgentsCallDetails,
  type OpenAIAgentsParameters,
  type OpenAIAgentsRunContext,
  type OpenAIAgentsToolFunction,
  type OpenAIAgentsToolOptions,
  type ToOpenAIAgentsToolsOptions,
} from "./to-openai-agents-tools.js";
export { toToolOutput, type OpenAIAgentsToolOutput } from "./to-openai-agents-tools.js";
