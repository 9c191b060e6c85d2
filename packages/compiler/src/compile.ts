import { createSteps, ignoreProgress, type OnProgress } from "./cached-steps.js";
import { completePlan, type PlanInput } from "./model/complete-plan.js";
import { CompileCache } from "./context/compile-cache.js";
import { createContext, type Helpers, type Steps, type Plugins } from "./context/context.js";
import { findFaultyTools } from "./context/exclusions.js";
import { type Diagnostic, type Found, isError, sortDiagnostics } from "@hasp/base/diagnostics";
import type { LoadedDocument, OutputFile, SourceText } from "./model/document.js";
import { listLosses, type LoweredToolset, type ToolLoss } from "./model/lowered.js";
import type { CompilePlan, ExclusionPlan } from "./model/plan.js";
import type { PolicyModel } from "./model/policy.js";
import type { FlatTool } from "./model/tool.js";
import { load } from "./phases/1-load/index.js";
import { resolve } from "./phases/2-resolve/index.js";
import { flatten } from "./phases/3-flatten/index.js";
import { check } from "./phases/4-check/index.js";
import { lower } from "./phases/5-lower/index.js";
import { emit } from "./phases/6-emit/index.js";

/** The outcome of one run. `files` is empty if there is any error. */
export interface CompileResult {
  readonly files: readonly OutputFile[];
  readonly diagnostics: readonly Diagnostic[];
  /** Searched for values that show them when they are read. */
  readonly losses: readonly ToolLoss[];
  /** Sorted by name; tools with errors are missing. */
  readonly tools: readonly FlatTool[];
  readonly toolsets: readonly LoweredToolset[];
  /** The compiled policies of the toolsets; those with errors are missing. */
  readonly policies: readonly PolicyModel[];
  /** Tools that were left out: those that the plan excludes and, with `keepGoing`, those that have errors. */
  readonly excluded: readonly ExclusionPlan[];
  /** Runs a further step for each tool, with the cache of this compilation. */
  readonly each: Steps["each"];
}

export interface CompileOptions {
  /** Set to `false` to collect diagnostics without emitting files. */
  readonly emits?: boolean;
  /** The outcomes of earlier compilations. They affect the duration, never a result. */
  readonly cache?: CompileCache;
  readonly onProgress?: OnProgress;
  /** True to leave out tools with errors and emit the other files. The errors are still reported. */
  readonly keepGoing?: boolean;
  /** The available rules, handler kinds and emitters. */
  readonly plugins?: Plugins | undefined;
}

/** Options with plugins, which have no default. Threads affect the duration, never a result. */
type OptionsWithPlugins = CompileOptions & { readonly plugins: Plugins; readonly helpers?: Helpers | undefined };

/** Compiles specs: a pure function of texts and plan. Missing parts of the plan are as in an empty configuration. */
export async function compile(
  sources: readonly SourceText[],
  planned: PlanInput,
  options: OptionsWithPlugins,
): Promise<CompileResult> {
  const plan = completePlan(planned);
  const settings = { cache: new CompileCache(), ...options };
  let { result, faulty } = await compileOnce(sources, plan, settings, []);
  // Excluding a tool may cause errors in others that share its toolset or its name.
  while (options.keepGoing === true && faulty.length > 0) {
    const exclude = [...result.excluded, ...faulty];
    ({ result, faulty } = await compileOnce(sources, { ...plan, exclude }, settings, result.diagnostics));
  }
  return result;
}

/** Compiles once. `earlier` holds the findings of runs that did not exclude as much. */
async function compileOnce(
  sources: readonly SourceText[],
  plan: CompilePlan,
  {
    emits = true,
    plugins,
    cache,
    helpers,
    onProgress = ignoreProgress,
  }: OptionsWithPlugins & { readonly cache: CompileCache },
  earlier: readonly Diagnostic[],
): Promise<{ readonly result: CompileResult; readonly faulty: readonly ExclusionPlan[] }> {
  cache.begin();
  const stepsFor = (documents: readonly LoadedDocument[]): Steps =>
    createSteps({ cache, plan, plugins, documents, emits, onProgress });
  const loaded = load(sources, stepsFor([]));
  const documents = loaded.value;
  const context = createContext({ plan, plugins, sources, documents, steps: stepsFor(documents), helpers });
  const found = createDiagnosticBag(context.exclusions.covers);
  found.take(loaded);
  const models = found.take(resolve(documents, context));
  const flat = found.take(flatten(models, context));
  const { tools, policies } = found.take(await check(flat, context));
  const { value, diagnostics } = lower(tools, context);
  // A tool with errors exists, though no list can have it.
  const isWhole = tools.length === models.tools.length + models.refused.length;
  const toolsets = found.take({ value, diagnostics: diagnostics.filter((each) => isWhole || !each.needsAllSpecs) });
  // Fail closed: only a clean run emits files.
  const isClean = emits && !found.hasErrors();
  const emitted = isClean ? found.take(await emit({ tools, toolsets, policies, plan }, context)) : [];
  const result: CompileResult = {
    files: found.hasErrors() ? [] : emitted,
    diagnostics: sortDiagnostics([...earlier, ...found.diagnostics]),
    get losses() {
      return listLosses(toolsets);
    },
    tools,
    toolsets,
    policies,
    excluded: plan.exclude,
    each: context.each,
  };
  return { result, faulty: findFaultyTools(context.exclusions, tools, found.diagnostics) };
}

interface DiagnosticBag {
  readonly diagnostics: readonly Diagnostic[];
  /** Keeps the diagnostics and returns the value. */
  take<Value>(found: Found<Value>): Value;
  hasErrors(): boolean;
}

/** Creates a bag that drops diagnostics which `isIgnored` selects. */
function createDiagnosticBag(isIgnored: (diagnostic: Diagnostic) => boolean): DiagnosticBag {
  const diagnostics: Diagnostic[] = [];
  return {
    diagnostics,
    take(found) {
      // Spreading a long list into `push` can overflow the stack.
      for (const diagnostic of found.diagnostics) if (!isIgnored(diagnostic)) diagnostics.push(diagnostic);
      return found.value;
    },
    hasErrors: () => diagnostics.some(isError),
  };
}
