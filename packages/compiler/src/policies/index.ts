import type { Found } from "../diagnostics/diagnostic.js";
import type { Approvals } from "../ledger/approvals.js";
import type { CompileContext } from "../context/context.js";
import type { PolicyModel } from "../model/policy.js";
import type { FlatTool } from "../model/tool.js";
import { declaredTools } from "../model/document.js";
import { compilePolicies } from "./compile-policies.js";
import { checkPolicyLedgers } from "./policy-claims.js";

export { compilePolicies } from "./compile-policies.js";
export { type Grant, grantsFor, grantsIn, mayAllow, ruleText } from "./grants.js";
export { shownClaims, type ShownClaim } from "./shown-claims.js";
export { changesSince, judgeGrants, pendingPolicyClaims, policyClaims, type JudgedGrant } from "./policy-claims.js";

export function checkedPolicies(
  tools: readonly FlatTool[],
  { plan, documents, sources, plugins }: Pick<CompileContext, "plan" | "documents" | "sources" | "plugins">,
  approvals: Approvals,
): Found<readonly PolicyModel[]> {
  if (plan.toolsets.every(({ policy }) => policy === undefined)) return { value: [], diagnostics: [] };
  const usable = new Set(tools.map(({ name }) => name));
  const broken = declaredTools(documents).flatMap(({ name }) => (usable.has(name) ? [] : [name]));
  const { value, diagnostics } = compilePolicies(documents, tools, plan, {
    broken,
    unparsed: unparsedPolicies({ documents, sources }),
  });
  return {
    value,
    diagnostics: [...diagnostics, ...plugins.lintPolicies(value), ...checkPolicyLedgers(value, approvals, plan)],
  };
}

/** Lists the policies with errors that `load` has reported. */
export function unparsedPolicies({
  documents,
  sources,
}: Pick<CompileContext, "documents" | "sources">): readonly string[] {
  return sources
    .filter(({ uri, role }) => role === "policy" && !documents.some((document) => document.uri === uri))
    .map(({ uri }) => uri);
}
