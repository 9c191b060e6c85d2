import type { Severity } from "@hasp/schema";
import type { Diagnostic } from "../../../../compiler/src/diagnostics/diagnostic.js";
import { isError } from "../../../../compiler/src/diagnostics/severity.js";
import { countSeverities } from "../../../../report/src/reporters/report.js";
import { pluralize } from "../../../../compiler/src/text/words.js";
import type { RuleGroup } from "../../../../compiler/src/diagnostics/rule-groups.js";
import type { CommandResult } from "./command.js";

/** 0: clean. 1: findings or drift. 2: could not check. */
export type ExitCode = 0 | 1 | 2;

/** Conditions that fail a run beside errors. */
export interface FailurePolicy {
  /** Fail on more warnings than this. */
  readonly maxWarnings?: number;
  /** Fail on findings of this severity or worse, or of this group of rules. */
  readonly failOn?: readonly (Severity | RuleGroup)[];
}

/** Chooses the exit code of an outcome. A crashed rule gives 2, because its findings are unknown. */
export function exitCodeOf(
  { diagnostics, couldNotCheck, isFailed }: Pick<CommandResult, "diagnostics" | "couldNotCheck" | "isFailed">,
  policy: FailurePolicy,
): ExitCode {
  if (
    couldNotCheck === true ||
    diagnostics.some(({ code }) => code === "check/rule-crashed" || code.startsWith("plugin/")) ||
    isCheckOfNothing(diagnostics)
  ) {
    return 2;
  }
  return isFailed === true ||
    diagnostics.some((diagnostic) => isFailure(diagnostic, policy)) ||
    hasTooManyWarnings(diagnostics, policy)
    ? 1
    : 0;
}

/** True if the only finding is an empty tool list. */
function isCheckOfNothing(diagnostics: readonly Diagnostic[]): boolean {
  const errors = diagnostics.filter(isError);
  return errors.length > 0 && errors.every(({ code }) => code === "resolve/no-tools");
}

export function isFailure({ severity, code }: Diagnostic, { failOn = [] }: FailurePolicy): boolean {
  if (severity === "error") return true;
  return failOn.some(
    (each) => each === severity || (each === "info" && severity === "warning") || code.startsWith(`${each}/`),
  );
}

/** Explains why a run without errors fails; `undefined` if it does not. */
export function reasonOfFailure(diagnostics: readonly Diagnostic[], policy: FailurePolicy): string | undefined {
  const { errors, warnings } = countSeverities(diagnostics);
  if (errors > 0) return undefined;
  const failures = diagnostics.filter((diagnostic) => isFailure(diagnostic, policy)).length;
  if (failures > 0) {
    return `Failed: ${pluralize(failures, "finding")} matched by --fail-on ${(policy.failOn ?? []).join(" --fail-on ")}.`;
  }
  return hasTooManyWarnings(diagnostics, policy)
    ? `Failed: ${pluralize(warnings, "warning")}, and --max-warnings allows ${String(policy.maxWarnings)}.`
    : undefined;
}

function hasTooManyWarnings(diagnostics: readonly Diagnostic[], { maxWarnings }: FailurePolicy): boolean {
  return maxWarnings !== undefined && countSeverities(diagnostics).warnings > maxWarnings;
}
