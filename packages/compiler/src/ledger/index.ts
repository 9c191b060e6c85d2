export {
  type Approvals,
  findExampleInput,
  type PendingClaim,
  listPendingClaims,
  readApprovals,
  listToolClaims,
} from "./claims.js";
export { approveSuggested, type SuggestedClaim } from "./approve-suggested.js";
export { checkLedger, removeApprovedContradictions } from "./check-ledger.js";
export { approve, pruneLedger, type FileEdit } from "./approve.js";
export { locateLedger } from "./ledger-file.js";
export { groupClaims, rateRisk, type ClaimGroup, type Risk } from "./claim-groups.js";
