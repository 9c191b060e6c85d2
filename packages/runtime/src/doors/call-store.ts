export { DamagedStore, TurnConflict, UnknownTurn } from "../calls/call-store.js";
export type * from "../calls/call-store.js";
export { spellOut } from "../calls/present-question.js";
export { checkLayout, printLabel, readCall, readEach, readLabel, readRecord, readTurn } from "../calls/read-stored.js";
export { createSweeper } from "../calls/retention.js";
export {
  advanceCall,
  createAuditRecord,
  createProposedRecord,
  fitsFilter,
  isAsExpected,
  isWhole,
  sortByAge,
} from "../calls/transition.js";
export { MOST_REASON, checkAnswer, findReasonToDecline } from "../extensions/durable/answer-question.js";
export { checkTurnId } from "../extensions/durable/turn-record.js";
export type * from "../extensions/durable/turns.js";
