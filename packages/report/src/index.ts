export { printCodeFrame } from "./reporters/code-frame.js";
export { cutToWidth } from "./reporters/display-width.js";
export { type FormatName, reportFormats } from "./reporters/index.js";
export {
  escapeMarkdown,
  LONGEST_COMMENT,
  printMarkdownCode,
  printMarkdownRow,
  printMarkdownTable,
  printReview,
} from "./reporters/markdown.js";
export { type Paint, paintInColour, paintPlain, wantsColour } from "./reporters/paint.js";
export {
  type ComparedCosts,
  type Report,
  type ReportFormat,
  type ReportView,
  type ReviewedFinding,
  type TestCase,
  countSeverities,
  sortBySeverity,
} from "./reporters/report.js";
export { type BuildFacts, buildFacts } from "./views/build-facts.js";
export { buildSummary, printExcluded, printFlows, printRelaxations } from "./views/build-summary.js";
export { callData, callText } from "./views/call-report.js";
export { type CauseGroup, groupByCause, identifyFinding, readDefinition } from "./reporters/causes.js";
export { claimTable, claimTexts } from "./views/claim-table.js";
export { countComparison, createComparisonLists, printComparison } from "./reporters/comparison.js";
export { AUTHORED_TEXTS, printEntryLines } from "./views/entry-lines.js";
export { type EntrySchema, listEntrySchemas } from "./views/entry-schemas.js";
export { createLossData, printLossTable } from "./views/loss-table.js";
export { createQuestionData, printQuestionList } from "./views/question-list.js";
export { placeLines, printSideBySide } from "./views/side-by-side.js";
export { printTable, wrapWords } from "./views/table.js";
export { listResolvedFields, printApproval, printFlow, printToolCard } from "./views/tool-card.js";
export {
  LISTED_FLAGS,
  type ToolListRow,
  createToolListData,
  printToolList,
  printToolListTotals,
  readFlags,
  summarizeApproval,
} from "./views/tool-list.js";
