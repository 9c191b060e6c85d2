export { type SuggestedClaim, approveSuggested } from "../ledger/approve-suggested.js";
export { type FileEdit, approve, pruneLedger } from "../ledger/approve.js";
export { type ClaimGroup, type Risk, groupClaims, rateRisk } from "../ledger/claim-groups.js";
export {
  type ApprovalState,
  type Approvals,
  type JudgedClaim,
  type PendingClaim,
  findExampleInput,
  listPendingClaims,
  listToolClaims,
  readApprovals,
  locateClaim,
} from "../ledger/claims.js";
export { CONTRADICTION_RULE, WAITING, ledgerDiagnostics } from "../ledger/diagnostics.js";
export { type SpecEdit, editSpecText } from "../ledger/edit-spec-text.js";
export {
  LEDGER_FOLDER,
  type LedgerEntry,
  isDay,
  locateLedger,
  readLedgerFile,
  readPolicyName,
} from "../ledger/ledger-file.js";
export { policyDiagnostics } from "../policies/diagnostics.js";
export {
  type FlowGuard,
  GUARDS,
  type ToolsetFlow,
  findToolsetFlows,
  hasPath,
  listNotedSinks,
} from "../policies/flow.js";
export { findMatchingTools, hasWildcard, covers, isAlwaysDestructive, mayBe } from "../policies/grants.js";
export {
  type ShownClaim,
  listPendingPolicyClaims,
  listPolicyClaims,
  listShownClaims,
} from "../policies/policy-claims.js";
export { findContradiction } from "../ledger/contradictions.js";
export type { PolicyRuleSpec, PolicySpec } from "../model/policy.js";
