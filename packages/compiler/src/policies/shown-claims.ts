import type { Location } from "../diagnostics/diagnostic.js";
import type { Approvals, JudgedClaim } from "../ledger/approvals.js";
import { locateClaim, toolClaims } from "../ledger/claims.js";
import type { FlatTool, Relaxation } from "../model/tool.js";
import type { PolicyModel } from "../model/policy.js";
import { type JudgedGrant, judgeGrants } from "./policy-claims.js";

/** A claim that makes a tool milder: its own or that of a policy. */
export interface ShownClaim extends Pick<JudgedClaim, "claim" | "state" | "entry"> {
  readonly tool: FlatTool;
  readonly location: Location;
  /** Present for the tool's own claim. */
  readonly relaxation?: Relaxation;
  /** Present for a policy's claim. */
  readonly grant?: JudgedGrant;
}

/** Lists the claims about each tool, its own before those of policies. */
export function shownClaims(
  { tools, policies }: { readonly tools: readonly FlatTool[]; readonly policies: readonly PolicyModel[] },
  approvals: Approvals,
): readonly ShownClaim[] {
  const own = toolClaims(tools, approvals).map(({ tool, relaxation, claim, state, entry }): ShownClaim => ({
    tool,
    claim,
    get location() {
      return locateClaim(tool, relaxation);
    },
    state,
    entry,
    relaxation,
  }));
  const granted = judgeGrants(policies, approvals).flatMap((grant) =>
    grant.tools.map((tool): ShownClaim => ({
      tool,
      claim: `${grant.policy.name}: ${grant.claim}`,
      location: grant.location,
      state: grant.state,
      entry: grant.entry,
      grant,
    })),
  );
  return [...own, ...granted];
}
