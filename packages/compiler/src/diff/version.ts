import type { Diagnostic, Found } from "@hasp/base/diagnostics";
import type { LoadedDocument, SourceText } from "../model/document.js";
import type { LoweredToolset } from "../model/lowered.js";
import type { CallStoreSetting, CompilePlan, RuleFacts } from "../model/plan.js";
import { CompileCache } from "../context/compile-cache.js";
import { createSteps, ignoreProgress, type OnProgress } from "../cached-steps.js";
import type { PolicyModel } from "../model/policy.js";
import type { FlatTool } from "../model/tool.js";
import { load } from "../phases/1-load/index.js";
import { resolve } from "../phases/2-resolve/index.js";
import { flatten } from "../phases/3-flatten/index.js";
import { findSilenceable } from "../phases/4-check/run-rules.js";
import { type PlacedSuppression, placeSuppressions } from "../phases/4-check/suppressions.js";
import { lower } from "../phases/5-lower/index.js";
import type { HandlerKinds } from "../handlers/kinds.js";
import { createContext, type Steps, type Plugins } from "../context/context.js";
import { compilePolicies, findUnparsedPolicies } from "../policies/compile-policies.js";

/** A loaded, resolved, flattened and lowered version of a project. */
export interface Version {
  /** Tools without errors. */
  readonly tools: readonly FlatTool[];
  readonly broken: ReadonlySet<string>;
  readonly ledgers: readonly LoadedDocument[];
  readonly plan: CompilePlan;
  readonly callStore: CallStoreSetting | undefined;
  readonly suppressions: readonly PlacedSuppression[];
  /** The errors and warnings of the rules that entries of the configuration silence in some files. */
  readonly silenceable: readonly Diagnostic[];
  /** The digests of what its last build read, by path or by name of a plugin. */
  readonly recorded?: ReadonlyMap<string, string>;
  /** Policies without errors. */
  readonly policies: readonly PolicyModel[];
  readonly toolsets: readonly LoweredToolset[];
  /** The rules that judge it, besides those of its plan. */
  readonly rules: readonly RuleFacts[];
  readonly kinds: HandlerKinds;
}

/** Compiles a version up to its flat tools and provider lists; checks neither rules nor approvals. */
export async function compileVersion(
  {
    sources,
    plan,
    callStore,
  }: {
    readonly sources: readonly SourceText[];
    readonly plan: CompilePlan;
    readonly callStore?: CallStoreSetting | undefined;
  },
  plugins: Plugins,
  onProgress: OnProgress = ignoreProgress,
  cache: CompileCache = new CompileCache(),
): Promise<Found<Version>> {
  const stepsOf = (documents: readonly LoadedDocument[]): Steps =>
    createSteps({ cache, plan, plugins, documents, onProgress });
  const loaded = load(sources, stepsOf([]));
  const documents = loaded.value;
  await plugins.handlerKinds.load(documents, plan);
  const context = createContext({ plan, plugins, sources, documents, steps: stepsOf(documents) });
  const resolved = resolve(documents, context);
  const flat = flatten({ tools: resolved.value.tools, refused: [] }, context);
  const { tools } = flat.value;
  const usable = new Set(tools.map(({ name }) => name));
  const { declared, names: excluded } = context.exclusions;
  const broken = new Set(declared.flatMap(({ name }) => (usable.has(name) || excluded.has(name) ? [] : [name])));
  const ledgers = documents.filter(({ role }) => role === "ledger");
  // `check` reports tools that a provider cannot carry; here they are not listed.
  const toolsets = lower(tools, context).value;
  const { value: policies, diagnostics: faults } = compilePolicies(documents, tools, plan, {
    broken: [...broken],
    unparsed: findUnparsedPolicies(context),
  });
  const diagnostics: readonly Diagnostic[] = [
    ...loaded.diagnostics,
    ...resolved.diagnostics,
    ...flat.diagnostics,
    ...faults,
  ];
  const suppressions = documents.flatMap(placeSuppressions);
  const { rules, handlerKinds: kinds } = plugins;
  const silenceable = await findSilenceable(tools, context);
  const value = {
    tools,
    broken,
    ledgers,
    plan,
    callStore,
    suppressions,
    silenceable,
    policies,
    toolsets,
    rules,
    kinds,
  };
  return { value, diagnostics };
}

/** Finds the earlier version of a tool. */
export type EarlierOf = (tool: FlatTool) => FlatTool | undefined;

export type CompareMember<Whole> = (before: Whole, after: Whole) => readonly Diagnostic[];

/** Requires a comparer for every member of a format, so that none is forgotten. */
export type Members<Format, Whole> = { readonly [member in keyof Required<Format>]: CompareMember<Whole> };

/** Documents why a member is not compared here. */
export function ignored(_reason: string): () => readonly Diagnostic[] {
  return () => [];
}
