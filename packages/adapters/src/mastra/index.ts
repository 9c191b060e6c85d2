export { mastraApprovals, type MastraApprovals } from "./to-mastra-tools.js";
export type { CallAnswer, CallQuestion } from "../framework/approvals.js";
export {
  toMastraTools,
  type MastraCallContext,
  type MastraCreateTool,
  type MastraSuspension,
  type MastraToolOptions,
  type ToMastraToolsOptions,
} from "./to-mastra-tools.js";
