import { prepareHandlers } from "./handlers/prepare-handlers.js";
import type { LoweredToolset } from "./model/lowered.js";
import type { SourceText } from "./model/document.js";
import type { OutputFile } from "./model/output.js";
import type { FlatTool } from "./model/tool.js";
import type { PolicyModel } from "./policies/policy.js";
import type { Diagnostic } from "./diagnostics/diagnostic.js";
import { completePlan, type PlanInput } from "./config/complete-plan.js";
import { createDiagnosticBag, sortDiagnostics } from "./diagnostics/diagnostic-bag.js";
import { CompileCache } from "./model/facts.js";
import { checkHandlers } from "./handlers/check-handlers.js";
import type { CompilePlan, ExclusionPlan } from "./model/plan.js";
import { load } from "./phases/1-load/index.js";
import { declarationsIn, faultyTools, findExclusions } from "./phases/2-resolve/exclusions.js";
import { resolve } from "./phases/2-resolve/index.js";
import { toolFacts } from "./phases/2-resolve/tool-facts.js";
import { flatten, flattenRefused } from "./phases/3-flatten/index.js";
import { check } from "./phases/4-check/index.js";
import { lower } from "./phases/5-lower/index.js";
import { emit } from "./phases/6-emit/index.js";
import { ignoreProgress, type OnProgress } from "./diagnostics/progress.js";
import { checkedPolicies } from "./policies/index.js";

/** A constraint that one dialect of one toolset cannot carry. */
export type ToolLoss = LoweredToolset["lists"][number]["losses"][number];

/** Everything that one run found and made. `files` is empty if there is any error: all or nothing. */
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
}

/** Settings of {@link compile}; all optional. */
export interface CompileOptions {
  /** Set to `false` to collect diagnostics without emitting files. */
  readonly emits?: boolean;
  /** What earlier compilations computed of each tool. It changes how long this takes, and no result. */
  readonly cache?: CompileCache;
  /** Whether losses come with a value that shows them. Each is searched for, so without files only callers that ask get one. */
  readonly witnesses?: boolean;
  readonly onProgress?: OnProgress;
  /** Leave out tools that have errors and emit the files of the others. The errors are reported all the same. */
  readonly keepGoing?: boolean;
}

/**
 * Compiles specs: a pure function of the texts and the plan. The same input gives the same bytes on every machine. What
 * the plan leaves out is as in an empty configuration.
 */
export async function compile(
  sources: readonly SourceText[],
  planned: PlanInput = {},
  options: CompileOptions = {},
): Promise<CompileResult> {
  const plan = completePlan(planned);
  const settings = { cache: new CompileCache(), ...options };
  let { result, findFaulty } = await compileOnce(sources, plan, settings);
  if (options.keepGoing !== true) return result;
  let faulty = findFaulty();
  const found = [...result.diagnostics];
  const exclude = [...plan.exclude];
  // Without a tool, others may have errors: those that share its toolset, or a name with it.
  while (faulty.length > 0) {
    exclude.push(...faulty);
    ({ result, findFaulty } = await compileOnce(sources, { ...plan, exclude }, settings));
    faulty = findFaulty();
    found.push(...result.diagnostics);
  }
  return { ...result, diagnostics: sortDiagnostics(found) };
}

/** Compiles specs, and finds the tools that keep others from being built. */
async function compileOnce(
  sources: readonly SourceText[],
  plan: CompilePlan,
  {
    emits = true,
    witnesses = emits,
    onProgress = ignoreProgress,
    cache,
  }: CompileOptions & { readonly cache: CompileCache },
): Promise<{ readonly result: CompileResult; readonly findFaulty: () => readonly ExclusionPlan[] }> {
  cache.begin();
  const loaded = load(sources, cache, onProgress);
  const documents = loaded.value;
  await prepareHandlers(documents);
  const declarations = declarationsIn(sources, documents);
  const exclusions = findExclusions(declarations, plan);
  const isPremature = ({ needsAllSpecs }: Diagnostic): boolean =>
    needsAllSpecs === true && declarations.unparsed.size > 0;
  const found = createDiagnosticBag((diagnostic) => exclusions.covers(diagnostic) || isPremature(diagnostic));
  found.take(loaded);
  found.add(...exclusions.diagnostics);
  const resolved = resolve(documents, sources, toolFacts(documents, plan, cache), exclusions.names, onProgress);
  const models = found.take(resolved);
  const tools = found.take(flatten(models, documents, onProgress));
  const refused = found.take(flattenRefused(resolved.refused, documents));
  found.take(check(tools, plan, documents, { refused, onProgress }));
  found.take(checkHandlers(tools, plan));
  const usable = new Set(tools.map(({ name }) => name));
  const policies = found.take(checkedPolicies(documents, tools, plan, sources));
  const toolsets = found.take(lower(tools, plan, { witnesses, onProgress }));
  // Fail closed: files come out of a clean run only.
  const emitted =
    !emits || found.hasErrors()
      ? []
      : found.take(
          await emit({ tools, toolsets, policies, plan, documents }, cache.factsFor("files of all tools"), onProgress),
        );
  const files = found.hasErrors() ? [] : emitted;
  const diagnostics = found.sorted();
  return {
    findFaulty: () => faultyTools(declarations, usable, exclusions, diagnostics),
    result: {
      files,
      diagnostics,
      tools,
      toolsets,
      policies,
      excluded: plan.exclude,
      get losses() {
        return toolsets.flatMap(({ lists }) => lists.flatMap((list) => list.losses));
      },
    },
  };
}
