import type { Diagnostic } from "../diagnostics/diagnostic.js";
import type { LoadedDocument } from "../model/document.js";
import type { CompilePlan } from "../model/plan.js";
import type { FlatTool } from "../model/tool.js";
import { locateClaim } from "./check-ledger.js";
import { CONTRADICTION_RULE } from "./diagnostics.js";
import { claimStates } from "./pending-claims.js";

/**
 * Leaves out the contradictions that an approval of today excuses: one that covers the claim and the handler as they are
 * and says that they contradict each other.
 */
export function withoutApprovedContradictions(
  found: readonly Diagnostic[],
  tools: readonly FlatTool[],
  ledgers: readonly LoadedDocument[],
  plan: CompilePlan,
): readonly Diagnostic[] {
  const reported = new Set(found.flatMap(({ code, tool }) => (code === CONTRADICTION_RULE ? [tool] : [])));
  if (reported.size === 0) return found;
  const concerned = tools.filter(({ name }) => reported.has(name));
  const excused = new Set(
    claimStates(concerned, ledgers, plan)
      .filter(({ state, contradiction }) => state === "approved" && contradiction !== undefined)
      .map(({ tool, relaxation }) => `${tool.name} ${locateClaim(tool, relaxation).pointer}`),
  );
  return found.filter(
    ({ code, tool = "", location }) =>
      code !== CONTRADICTION_RULE || !excused.has(`${tool} ${location?.pointer ?? ""}`),
  );
}
