export { approveSuggested, type SuggestedClaim } from "./approve-suggested.js";
export { withoutApprovedContradictions } from "./approved-contradictions.js";
export { checkLedger } from "./check-ledger.js";
export { approve, pruneLedger, type Approval, type FileEdit, type PrunedEntry } from "./approve.js";
export { claimStates, pendingClaims, exampleInput, type ClaimState, type PendingClaim } from "./pending-claims.js";
export { LEDGER_FOLDER, ledgerPath } from "./ledger-file.js";
export { groupClaims, riskOf, type ClaimGroup, type Risk } from "./claim-groups.js";
