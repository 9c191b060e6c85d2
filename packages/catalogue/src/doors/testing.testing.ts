export { createToolRecords } from "../data/tool-record.js";
export type { Finding, FindingList } from "../model.js";
export { LONGEST_COMMENT } from "../review.js";
