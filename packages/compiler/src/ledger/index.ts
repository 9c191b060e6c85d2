export { listPendingClaims, readApprovals } from "./claims.js";
export { approveSuggested } from "./approve-suggested.js";
export { checkLedger, removeApprovedContradictions } from "./check-ledger.js";
export { approve, pruneLedger } from "./approve.js";
