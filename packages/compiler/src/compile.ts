import { builtin } from "./builtin/index.js";
import { completePlan, type PlanInput } from "./config/complete-plan.js";
import { createDiagnosticBag, sortDiagnostics } from "./diagnostics/diagnostic-bag.js";
import type { Diagnostic } from "./diagnostics/diagnostic.js";
import { ignoreProgress, type OnProgress } from "./diagnostics/progress.js";
import type { SourceText, OutputFile } from "./model/document.js";
import type { LoweredToolset } from "./model/lowered.js";
import type { CompilePlan, ExclusionPlan } from "./model/plan.js";
import type { FlatTool } from "./model/tool.js";
import { load } from "./phases/1-load/index.js";
import { faultyTools, findExclusions } from "./phases/2-resolve/exclusions.js";
import { resolve } from "./phases/2-resolve/index.js";
import { flatten } from "./phases/3-flatten/index.js";
import { joinPlugins, type Plugins } from "./context/plugins.js";
import { checkFlows } from "./policies/index.js";
import { checkWithPlugins } from "./plugins/foreign-plugins.js";
import { check } from "./phases/4-check/index.js";
import { lower } from "./phases/5-lower/index.js";
import { emit } from "./phases/6-emit/index.js";
import { CompileCache } from "./context/compile-cache.js";
import { type CompileContext, createContext } from "./context/context.js";
import type { PolicyModel } from "./model/policy.js";

/** A constraint that one dialect of one toolset cannot carry. */
export type ToolLoss = LoweredToolset["lists"][number]["losses"][number];

/** The outcome of one run. `files` is empty if there is any error. */
export interface CompileResult {
  readonly files: readonly OutputFile[];
  readonly diagnostics: readonly Diagnostic[];
  readonly losses: readonly ToolLoss[];
  /** Sorted by name; tools with errors are missing. */
  readonly tools: readonly FlatTool[];
  readonly toolsets: readonly LoweredToolset[];
  /** The compiled policies of the toolsets; those with errors are missing. */
  readonly policies: readonly PolicyModel[];
  /** Tools that were left out: those that the plan excludes and, with `keepGoing`, those that have errors. */
  readonly excluded: readonly ExclusionPlan[];
  /** Runs a further step for each tool, with the cache of this compilation. */
  readonly each: CompileContext["each"];
}

export interface CompileOptions {
  /** Set to `false` to collect diagnostics without emitting files. */
  readonly emits?: boolean;
  /** The outcomes of earlier compilations. They affect the duration, never a result. */
  readonly cache?: CompileCache;
  /** True to search for a value that shows each loss. Default: the value of `emits`. */
  readonly witnesses?: boolean;
  readonly onProgress?: OnProgress;
  /** True to leave out tools with errors and emit the other files. The errors are still reported. */
  readonly keepGoing?: boolean;
  /** The rules and emitters that run. Default: hasp's own. */
  readonly plugins?: Plugins | undefined;
}

/** Compiles specs: a pure function of texts and plan. Missing parts of the plan are as in an empty configuration. */
export async function compile(
  sources: readonly SourceText[],
  planned: PlanInput = {},
  options: CompileOptions = {},
): Promise<CompileResult> {
  const plan = completePlan(planned);
  const settings = { cache: new CompileCache(), ...options };
  let { result, faulty } = await compileOnce(sources, plan, settings);
  if (options.keepGoing !== true) return result;
  const found = [...result.diagnostics];
  const exclude = [...plan.exclude];
  // Excluding a tool may cause errors in others that share its toolset or its name.
  while (faulty.length > 0) {
    exclude.push(...faulty);
    ({ result, faulty } = await compileOnce(sources, { ...plan, exclude }, settings));
    found.push(...result.diagnostics);
  }
  return { ...result, diagnostics: sortDiagnostics(found) };
}

async function compileOnce(
  sources: readonly SourceText[],
  plan: CompilePlan,
  {
    emits = true,
    witnesses = emits,
    onProgress = ignoreProgress,
    plugins = joinPlugins(builtin),
    cache,
  }: CompileOptions & { readonly cache: CompileCache },
): Promise<{ readonly result: CompileResult; readonly faulty: readonly ExclusionPlan[] }> {
  cache.begin();
  const loaded = load(sources, { cache, onProgress });
  await plugins.handlers.prepare(loaded.value);
  const context = createContext({ plan, plugins, sources, documents: loaded.value, witnesses, cache, onProgress });
  const exclusions = findExclusions(context);
  const found = createDiagnosticBag(exclusions.covers);
  found.take(loaded);
  found.add(...exclusions.diagnostics);
  const foreign = await checkWithPlugins(plugins.foreign, sources, plan);

  const models = resolve({ excluded: exclusions.names }, context);
  found.take(models);
  const flat = flatten(models, context);
  const tools = found.take(flat);
  const { policies } = found.take(check({ ...flat, foreign }, context));
  found.add(...checkFlows(tools, plan, policies));
  const toolsets = found.take(lower(tools, context));
  // Fail closed: only a clean run emits files.
  const emitted =
    !emits || found.hasErrors() ? [] : found.take(await emit({ tools, toolsets, policies, plan }, context));
  const diagnostics = found.sorted();
  return {
    faulty: faultyTools(exclusions, tools, diagnostics),
    result: {
      files: found.hasErrors() ? [] : emitted,
      diagnostics,
      tools,
      toolsets,
      policies,
      excluded: plan.exclude,
      each: context.each,
      get losses() {
        return toolsets.flatMap(({ lists }) => lists.flatMap((list) => list.losses));
      },
    },
  };
}
