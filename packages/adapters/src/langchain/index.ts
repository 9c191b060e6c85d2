export { langGraphApprovals, type LangGraphApprovals } from "./interrupts.js";
export type { CallQuestion } from "../framework/approvals.js";
export type { LangGraphAnswer } from "./interrupts.js";
export { toLangChainTools, type ToLangChainToolsOptions } from "./to-langchain-tools.js";
