export { mastraApprovals, type MastraApprovals } from "./to-mastra-tools.js";
export type { CallQuestion } from "../framework/approvals.js";
export { toMastraTools, type ToMastraToolsOptions } from "./to-mastra-tools.js";
