import { approve, ledgerPath, pendingClaims } from "../../ledger/index.js";
import { loadSource } from "../../phases/1-load/index.js";
import { pendingPolicyClaims } from "../../policies/policy-claims.js";
import type { Offer } from "./code-actions.js";
import { textChange } from "./text-change.js";

/** Stands for the reason until the entry is written. */
const REASON = "hasp__reason";

/**
 * Adds the entry of the ledger for a claim, with an empty reason: the finding stays until the reviewer has written why
 * the claim is safe.
 */
export const approveClaim: Offer = ({ project, finding }) => {
  const { compiled, sources, cache } = project;
  if (!finding.code.startsWith("ledger/") || compiled === undefined) return [];
  const documents = sources.flatMap((source) => loadSource(source, cache).value ?? []);
  const ledgers = documents.filter(({ role }) => role === "ledger");
  const { result, plan } = compiled;
  const pending = [
    ...pendingClaims(result.tools, ledgers, plan),
    ...pendingPolicyClaims(result.policies, ledgers, result.tools, plan),
  ];
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
