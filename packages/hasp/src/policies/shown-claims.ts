import type { Location } from "../diagnostics/diagnostic.js";
import { locateClaim } from "../ledger/check-ledger.js";
import { claimStates, type ClaimState } from "../ledger/pending-claims.js";
import type { LoadedDocument } from "../model/document.js";
import type { CompilePlan } from "../model/plan.js";
import type { FlatTool, Relaxation } from "../model/tool.js";
import type { PolicyModel } from "./policy.js";
import { grantStates, type GrantState } from "./policy-claims.js";

/** A claim that makes a tool milder: its own, or one of a policy that reaches it. */
export interface ShownClaim extends Pick<ClaimState, "tool" | "state" | "entry"> {
  readonly claim: string;
  readonly location: Location;
  /** Present for a claim of the tool's own. */
  readonly relaxation?: Relaxation;
  /** Present for a claim of a policy. */
  readonly grant?: GrantState;
}

/** Lists everything that makes each tool milder, by tool: its own claims, then what policies let run unasked. */
export function shownClaims(
  { tools, policies }: { readonly tools: readonly FlatTool[]; readonly policies: readonly PolicyModel[] },
  ledgers: readonly LoadedDocument[],
  plan: CompilePlan,
): readonly ShownClaim[] {
  const own = claimStates(tools, ledgers, plan).map(({ tool, relaxation, state, entry }): ShownClaim => ({
    tool,
    claim: relaxation.claim,
    get location() {
      return locateClaim(tool, relaxation);
    },
    state,
    entry,
    relaxation,
  }));
  const granted = grantStates(policies, ledgers, tools, plan).flatMap((grant) =>
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
