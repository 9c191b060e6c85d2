export { langGraphApprovals, type LangGraphApprovals } from "./interrupts.js";
export type { CallAnswer, CallQuestion } from "../framework/approvals.js";
export type { LangGraphAnswer } from "./interrupts.js";
export { toMessageContent, type LangChainContent } from "./to-langchain-tools.js";
export {
  toLangChainTools,
  type LangChainCallConfig,
  type LangChainMessageFields,
  type LangChainToolFields,
  type LangChainToolFunction,
  type LangChainToolMessage,
  type ToLangChainToolsOptions,
} from "./to-langchain-tools.js";
