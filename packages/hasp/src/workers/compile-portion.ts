import { hasErrors } from "../diagnostics/severity.js";
import type { SourceText } from "../model/document.js";
import type { CompilePlan } from "../model/plan.js";
import { load } from "../phases/1-load/index.js";
import { resolve } from "../phases/2-resolve/index.js";
import { flatten } from "../phases/3-flatten/index.js";
import { check } from "../phases/4-check/index.js";
import { lower } from "../phases/5-lower/index.js";
import { emitParts } from "../phases/6-emit/index.js";

/** What a run wants beside findings; as in `CompileOptions`. */
export interface Wanted {
  readonly emits: boolean;
  readonly witnesses: boolean;
}

/**
 * Does for some specs of a project, with the files that they lead to, what `compile` does for each tool by itself. It
 * gives nothing: each step remembers what it found, in the records of the specs, where `compile` will look for it. What
 * tools must agree on is guessed, and where the guess is wrong, `compile` does that step again.
 */
export function compilePortion(sources: readonly SourceText[], plan: CompilePlan, { emits, witnesses }: Wanted): void {
  const { value: documents } = load(sources);
  const { value: models } = resolve(documents, sources);
  const { value: tools } = flatten(models, documents);
  check(tools, plan, documents);
  const { value: toolsets, diagnostics } = lower(tools, plan, { witnesses, isPortion: true });
  if (emits && !hasErrors(diagnostics)) emitParts({ tools, toolsets, plan, documents });
}
