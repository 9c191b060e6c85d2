import type { CompilePlan } from "../model/plan.js";
import type { RuleFacts } from "../model/plan.js";
import { createCustomRules } from "./custom-rules.js";

/** Lists the rules that a project adds to hasp's own, without their code. */
export function projectRules(plan: Pick<CompilePlan, "customRules" | "plugins">): readonly RuleFacts[] {
  const ofPlugins = (plan.plugins ?? []).flatMap(({ rules }) => rules);
  return [...createCustomRules(plan), ...ofPlugins].map(({ id, severity, summary, why, examples }) => ({
    id,
    severity,
    summary,
    why,
    examples,
  }));
}
