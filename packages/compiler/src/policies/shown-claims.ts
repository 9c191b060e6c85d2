import type { Location } from "../diagnostics/diagnostic.js";
import type { Approvals, JudgedClaim } from "../ledger/approvals.js";
import { locateClaim, toolClaims } from "../ledger/claims.js";
import type { FlatTool, Relaxation } from "../model/tool.js";
import type { PolicyModel } from "../model/policy.js";
import { type JudgedGrant, judgeGrants } from "./policy-claims.js";

/** A claim that makes a tool milder: its own, or one of a policy that reaches it. */
export interface ShownClaim extends Pick<JudgedClaim, "claim" | "state" | "entry"> {
  readonly tool: FlatTool;
  readonly location: Location;
  /** Present for a claim of the tool's own. */
  readonly relaxation?: Relaxation;
  /** Present for a claim of a policy. */
  readonly grant?: JudgedGrant;
}

/** Lists everything that makes each tool milder, by tool: its own claims, then what policies let run unasked. */
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
