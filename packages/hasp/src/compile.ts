import type { LoweredToolset } from "./model/lowered.js";
import type { SourceText } from "./model/document.js";
import type { OutputFile } from "./model/output.js";
import type { FlatTool } from "./model/tool.js";
import type { Diagnostic } from "./diagnostics/diagnostic.js";
import { completePlan, type PlanInput } from "./config/complete-plan.js";
import { createDiagnosticBag } from "./diagnostics/diagnostic-bag.js";
import { CompileCache } from "./model/facts.js";
import { load } from "./phases/1-load/index.js";
import { resolve } from "./phases/2-resolve/index.js";
import { toolFacts } from "./phases/2-resolve/tool-facts.js";
import { flatten } from "./phases/3-flatten/index.js";
import { check } from "./phases/4-check/index.js";
import { lower } from "./phases/5-lower/index.js";
import { emit } from "./phases/6-emit/index.js";

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
}

/** Settings of {@link compile}; all optional. */
export interface CompileOptions {
  /** Set to `false` to collect diagnostics without emitting files. */
  readonly emits?: boolean;
  /** What earlier compilations computed of each tool. It changes how long this takes, and no result. */
  readonly cache?: CompileCache;
  /** Whether losses come with a value that shows them; without files, only for who asks, since each is searched for. */
  readonly witnesses?: boolean;
}

/**
 * Compiles specs: a pure function of the texts and the plan. The same input gives the same bytes on every machine. What
 * the plan leaves out is as in an empty configuration.
 */
export async function compile(
  sources: readonly SourceText[],
  planned: PlanInput = {},
  { emits = true, witnesses = emits, cache = new CompileCache() }: CompileOptions = {},
): Promise<CompileResult> {
  const plan = completePlan(planned);
  cache.begin();
  const found = createDiagnosticBag();
  const documents = found.take(load(sources, cache));
  const models = found.take(resolve(documents, sources, toolFacts(documents, plan, cache)));
  const tools = found.take(flatten(models, documents));
  found.take(check(tools, plan, documents));
  const toolsets = found.take(lower(tools, plan, { witnesses }));
  // Fail closed: files come out of a clean run only.
  const emitted =
    !emits || found.hasErrors()
      ? []
      : found.take(await emit({ tools, toolsets, plan, documents }, cache.factsFor("files of all tools")));
  const files = found.hasErrors() ? [] : emitted;
  return {
    files,
    diagnostics: found.sorted(),
    tools,
    toolsets,
    get losses() {
      return toolsets.flatMap(({ lists }) => lists.flatMap((list) => list.losses));
    },
  };
}
