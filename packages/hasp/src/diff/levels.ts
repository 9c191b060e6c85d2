import type { Severity } from "@hasp/schema";
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import type { CompilePlan, DiffLevels } from "../model/plan.js";
import { isUnproved, listOf } from "./diagnostics.js";

/**
 * The name under which a configuration speaks of a finding; `undefined` for what kept something from being compared.
 */
export function levelName(code: string): keyof DiffLevels | undefined {
  const list = listOf(code);
  if (list === "breaks") return isUnproved(code) ? "mayBreak" : "breaks";
  if (list === "loosens") return isUnproved(code) ? "mayLoosen" : "loosens";
  return list;
}

const ORDER: readonly Severity[] = ["info", "warning", "error"];

/**
 * Gives every finding the severity that the configurations give its list. Of the two versions' words the stricter one
 * holds: a change cannot lower the level by which it is judged itself.
 */
export function withLevels(diagnostics: readonly Diagnostic[], plans: readonly CompilePlan[]): readonly Diagnostic[] {
  return diagnostics.map((diagnostic) => {
    const name = levelName(diagnostic.code);
    if (name === undefined) return diagnostic;
    const wanted = plans.map(({ diff }) => ORDER.indexOf(diff?.[name] ?? diagnostic.severity));
    return { ...diagnostic, severity: ORDER[Math.max(...wanted)] ?? diagnostic.severity };
  });
}
