import { approve, ledgerPath, pendingClaims } from "../../../compiler/src/ledger/index.js";
import { pendingPolicyClaims } from "../../../compiler/src/policies/policy-claims.js";
import { projectApprovals } from "../model/approvals.js";
import type { Offer } from "./code-actions.js";
import { textChange } from "./text-change.js";

/** Stands for the reason until the entry is written. */
const REASON = "hasp__reason";

/** Adds a claim's ledger entry without a reason: the finding stays until the reviewer has written one. */
export const approveClaim: Offer = ({ project, finding }) => {
  const { compiled, sources } = project;
  if (!finding.code.startsWith("ledger/") || compiled === undefined) return [];
  const { tools, policies } = compiled.result;
  const approvals = projectApprovals(project, compiled);
  const ledgers = approvals.files.map(({ document }) => document);
  const pending = [...pendingClaims(tools, approvals), ...pendingPolicyClaims(policies, approvals)];
  const { location } = finding;
  const claims = pending.filter(
    (claim) =>
      claim.location.uri === location?.uri &&
      claim.location.range.start.offset === location.range.start.offset &&
      finding.message.includes(claim.claim),
  );
  return claims.map((claim) => {
    const [file] = approve({ claims: [claim], ledgers, reason: REASON, ...project.reviewer() });
    const text = file?.text?.replace(REASON, '""') ?? "";
    const source = sources.find(({ uri }) => uri === file?.path);
    const change =
      source === undefined
        ? ({ kind: "create", uri: file?.path ?? ledgerPath(claim.tool), text } as const)
        : textChange(source, text);
    return {
      title: `Approve ${claim.claim}: write the reason`,
      finding,
      isPreferred: false,
      edit: { changes: [change] },
    };
  });
};
