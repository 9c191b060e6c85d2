import { changesOf } from "../../../../catalogue/src/data/changes.js";
import type { Changes } from "../../../../catalogue/src/model.js";
import type { Diagnostic } from "../../../../compiler/src/diagnostics/diagnostic.js";
import { compareWith } from "../compare/compare-with.js";
import type { CompiledProject } from "../project/project.js";
import type { Invocation } from "../shell/command.js";

export interface ChangesSince {
  readonly changes: Changes;
  readonly problems: readonly Diagnostic[];
}

/** Compares a project with another version; reports why if it cannot. */
export async function changesSince(
  base: string,
  project: CompiledProject,
  dialects: CompiledProject["plan"]["dialects"],
  invocation: Invocation,
): Promise<ChangesSince> {
  const compared = await compareWith(base, project, dialects, invocation);
  if ("refusal" in compared) {
    const { message, help } = compared.refusal;
    const refusal = help === undefined ? message : `${message} ${help}`;
    return { changes: { base, refusal }, problems: [compared.refusal] };
  }
  if ("errors" in compared) {
    const refusal = "The specs have errors and cannot be compared; `hasp check` lists them.";
    return { changes: { base, refusal }, problems: compared.errors };
  }
  return { changes: changesOf(compared.diagnostics, compared.costs, base), problems: [] };
}
