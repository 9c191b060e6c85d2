export { langGraphApprovals, type LangGraphApprovals, type LangGraphAnswer } from "./interrupts.js";
export type { CallQuestion } from "../framework/approvals.js";
export { toLangChainTools, type ToLangChainToolsOptions } from "./to-langchain-tools.js";
