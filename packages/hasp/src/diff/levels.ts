import type { Severity } from "@hasp/schema";
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import type { CompilePlan, DiffLevels } from "../model/plan.js";
import { isUnproved, listOf } from "./diagnostics.js";

/**
 * The configuration key that sets the severity of a finding; `undefined` if the finding prevented a comparison.
 */
export function levelName(code: string): keyof DiffLevels | undefined {
  const list = listOf(code);
  if (list === "breaks") return isUnproved(code) ? "mayBreak" : "breaks";
  if (list === "loosens") return isUnproved(code) ? "mayLoosen" : "loosens";
  return list;
}

const ORDER: readonly Severity[] = ["info", "warning", "error"];

/**
 * Sets the severity of every finding. The stricter of the two configurations applies: a change cannot lower its own
 * level.
 */
export function withLevels(diagnostics: readonly Diagnostic[], plans: readonly CompilePlan[]): readonly Diagnostic[] {
  return diagnostics.map((diagnostic) => {
    const name = levelName(diagnostic.code);
    if (name === undefined) return diagnostic;
    const wanted = plans.map(({ diff }) => ORDER.indexOf(diff?.[name] ?? diagnostic.severity));
    return { ...diagnostic, severity: ORDER[Math.max(...wanted)] ?? diagnostic.severity };
  });
}
