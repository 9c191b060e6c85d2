import type { Severity } from "@hasp/schema";
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import type { CompilePlan } from "../model/plan.js";
import { levelName } from "./diagnostics.js";

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
