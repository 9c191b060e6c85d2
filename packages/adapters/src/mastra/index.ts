export { mastraApprovals, type MastraApprovals, toMastraTools, type ToMastraToolsOptions } from "./to-mastra-tools.js";
export type { CallQuestion } from "../framework/approvals.js";
