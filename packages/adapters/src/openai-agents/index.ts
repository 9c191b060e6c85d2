export { openAIAgentsApprovals, type OpenAIAgentsApprovals } from "./to-openai-agents-tools.js";
export type { CallQuestion } from "../framework/approvals.js";
export { toOpenAIAgentsTools, type ToOpenAIAgentsToolsOptions } from "./to-openai-agents-tools.js";
