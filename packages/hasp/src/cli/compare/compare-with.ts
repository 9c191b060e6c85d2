import type { Diagnostic } from "../../../../compiler/src/diagnostics/diagnostic.js";
import { isError } from "../../../../compiler/src/diagnostics/severity.js";
import { compareCosts, compareVersions, compileVersion, type ListCost } from "../../../../compiler/src/diff/index.js";
import type { CompilePlan } from "../../../../compiler/src/model/plan.js";
import type { CompiledProject } from "../project/project.js";
import type { Invocation } from "../shell/command.js";
import { readBase } from "./read-base.js";

type Comparison =
  | { readonly diagnostics: readonly Diagnostic[]; readonly costs: readonly ListCost[] }
  | { readonly refusal: Diagnostic }
  | { readonly errors: readonly Diagnostic[] };

/** Compares a project, lowered to these dialects, with its version at a git ref or in a folder. */
export async function compareWith(
  base: string,
  { root, sources, plan, callStore }: Pick<CompiledProject, "root" | "sources" | "plan" | "callStore">,
  dialects: CompilePlan["dialects"],
  invocation: Invocation,
): Promise<Comparison> {
  const { report } = invocation.terminal.progress;
  const now = await compileVersion({ sources, plan: { ...plan, dialects }, callStore }, report);
  // Specs with errors cannot be compared.
  const errors = now.diagnostics.filter(isError);
  if (errors.length > 0) return { errors };
  const before = await readBase(root, base, invocation);
  if ("refusal" in before) return before;
  report("Comparing tools", 0, now.value.tools.length);
  return {
    diagnostics: compareVersions(before, now.value, base),
    costs: compareCosts(before, now.value),
  };
}
