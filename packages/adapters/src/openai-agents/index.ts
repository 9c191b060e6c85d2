export {
  openAIAgentsApprovals,
  type OpenAIAgentsApprovals,
  toOpenAIAgentsTools,
  type ToOpenAIAgentsToolsOptions,
} from "./to-openai-agents-tools.js";
export type { CallQuestion } from "../framework/approvals.js";
