import type { PendingClaim } from "../../../../compiler/src/ledger/index.js";
import { pluralize } from "../../../../compiler/src/text/words.js";
import { type Approval, type ApprovalResult, enterApprovals } from "./approval.js";
import { askAboutClaims } from "./ask-about-claims.js";

export async function approveWaiting(approval: Approval): Promise<ApprovalResult> {
  const { project, options, terminal } = approval;
  const waiting = await waitingClaims(approval);
  const questioning = { texts: project.texts, terminal, oneByOne: options.review === true };
  // A claim that contradicts its handler needs an explicit request.
  const undoubted = waiting.filter(
    ({ contradiction }) => contradiction === undefined || options.contradicting === true,
  );
  const approved = options.yes === true ? undoubted : await askAboutClaims(waiting, questioning);
  const entered = await enterApprovals(approved, waiting, approval);
  const skipped = options.yes === true ? waiting.length - undoubted.length : 0;
  if (skipped === 0) return entered;
  const contradict = skipped === 1 ? "contradicts" : "contradict";
  const hint = `${pluralize(skipped, "claim")} ${contradict} what the handler does; --contradicting approves such a claim too.`;
  return { ...entered, text: `${entered.text}\n${hint}\n` };
}

export async function waitingClaims({
  project,
  selection,
  ledgers,
}: Pick<Approval, "project" | "selection" | "ledgers">): Promise<readonly PendingClaim[]> {
  const [{ pendingClaims, readApprovals }, { pendingPolicyClaims }] = await Promise.all([
    import("../../../../compiler/src/ledger/index.js"),
    import("../../../../compiler/src/policies/index.js"),
  ]);
  const { result, plan } = project;
  const tools = result.tools.filter((tool) => selection.has(tool));
  const policies = result.policies.filter(({ name, toolset, document }) =>
    selection.hasPolicy({ name, toolset, uri: document.uri }),
  );
  const approvals = readApprovals(ledgers, result.tools, plan);
  return [...pendingClaims(tools, approvals), ...pendingPolicyClaims(policies, approvals)];
}
