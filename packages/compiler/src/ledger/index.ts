export { type Approvals, exampleInput, type PendingClaim, pendingClaims, readApprovals, toolClaims } from "./claims.js";
export { approveSuggested, type SuggestedClaim } from "./approve-suggested.js";
export { checkLedger, withoutApprovedContradictions } from "./check-ledger.js";
export { approve, pruneLedger, type FileEdit } from "./approve.js";
export { ledgerPath } from "./ledger-file.js";
export { groupClaims, rateRisk, type ClaimGroup, type Risk } from "./claim-groups.js";
