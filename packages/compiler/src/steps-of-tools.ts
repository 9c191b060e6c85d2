import { createSteps, findNewSpecs, ignoreProgress, type OnProgress } from "./cached-steps.js";
import type { CompileCache } from "./context/compile-cache.js";
import { createContext, type Plugins } from "./context/context.js";
import { completePlan, type PlanInput } from "./model/complete-plan.js";
import { linkDocuments } from "./model/document-references.js";
import type { SourceText } from "./model/document.js";
import { load } from "./phases/1-load/index.js";
import { resolve } from "./phases/2-resolve/index.js";
import { flatten } from "./phases/3-flatten/index.js";
import { countTokensByTool } from "./text/prompt-tokens.js";
import { listRules, runRules } from "./phases/4-check/run-rules.js";
import { lower } from "./phases/5-lower/index.js";

interface StepsOfTools {
  readonly plan: PlanInput;
  readonly plugins: Plugins;
  readonly cache: CompileCache;
}

interface StepsToRun extends StepsOfTools {
  readonly emits: boolean;
  /** The names that the build has chosen. Given with `emits`, the parts of these tools are emitted, too. */
  readonly names?: unknown;
  readonly onProgress?: OnProgress;
}

/**
 * Runs the steps of each tool in some sources up to its lowering, as `compile` would, and leaves the results in the
 * cache; if it `emits`, also the steps that decide names and those that count tokens, which the summary of a build
 * prints. Reports no findings: `compile` does.
 */
export async function runStepsOfTools(
  sources: readonly SourceText[],
  { plan: planned, plugins, cache, emits, names, onProgress = ignoreProgress }: StepsToRun,
): Promise<void> {
  const settings = { cache, plan: completePlan(planned), plugins, emits, onProgress };
  const { value: documents } = load(sources, createSteps({ ...settings, documents: [] }));
  const context = createContext({ ...settings, sources, documents, steps: createSteps({ ...settings, documents }) });
  const { tools, refused } = flatten(resolve(documents, context).value, context).value;
  await plugins.handlerKinds.load(documents, settings.plan);
  runRules(listRules(context), [...tools, ...refused], context);
  const { value: toolsets } = lower(tools, context);
  if (!emits) return;
  await plugins.emit?.emitParts({ tools, toolsets, plan: settings.plan }, context, names);
  countTokensByTool({ tools, toolsets, each: context.each }, settings.plan);
}

/**
 * Divides the specs that are new to the cache into at most `most` shares of nearly equal size, with at least `least`
 * specs each. Returns the sources of each share, with the files to which its specs refer.
 */
export function divideNewSpecs(
  sources: readonly SourceText[],
  { plan, plugins, cache }: StepsOfTools,
  { least, most }: { readonly least: number; readonly most: number },
): readonly (readonly SourceText[])[] {
  const settings = { cache, plan: completePlan(plan), plugins };
  const { value: documents } = load(sources, createSteps({ ...settings, documents: [] }));
  const linked = linkDocuments(documents);
  const specs = findNewSpecs(documents, linked, settings);
  const count = Math.min(most, Math.floor(specs.length / least));
  return Array.from({ length: count }, (_, share) => {
    const own = specs.filter((_spec, index) => index % count === share);
    const needed = new Set(own.flatMap((spec) => [...linked(spec).keys()]));
    return sources.filter(({ uri }) => needed.has(uri));
  });
}
