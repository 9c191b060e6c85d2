import type { Diagnostic, DiagnosticDefinitions } from "@hasp/base/diagnostics";
import type { JsonValue } from "@hasp/schema";
import type { HandlerKind, HandlerKindParts } from "../handlers/handler-kind.js";
import type { HandlerKinds } from "../handlers/kinds.js";
import { type LinkedDocuments, linkDocuments } from "../model/document-references.js";
import type { LoadedDocument, OutputFile, SourceText } from "../model/document.js";
import type { LoweredToolset } from "../model/lowered.js";
import type { CompilePlan } from "../model/plan.js";
import type { PolicyModel } from "../model/policy.js";
import type { FlatTool, ToolModel } from "../model/tool.js";
import type { ForeignPlugins } from "../plugins/foreign-plugins.js";
import type { Rule } from "../plugins/rule.js";
import { type Exclusions, findExclusions } from "./exclusions.js";
import type { Keeping } from "./keeping.js";

type AskedPart = Pick<ToolModel, "document" | "pointer"> & Partial<Pick<ToolModel, "removed">>;

/** The title of a step, which tells the steps apart and which a terminal shows. */
export type StepTitle = CompileStep | EmitStep;

/** A step of the phases, or of what reads a compiled project. */
export type CompileStep =
  | "Parsing files"
  | "Resolving specs"
  | "Flattening tools"
  | "Checking tools"
  | "Checking approvals"
  | "Checking flows"
  | "Lowering tools"
  | "Counting tokens"
  | "Describing tools";

/** A step of the plugin that emits. */
type EmitStep = "Sharing definitions" | "Emitting tools" | "Formatting files";

export type StepItem = AskedPart | { readonly tool: AskedPart } | { readonly text: string };

/** Runs a function once per item. A result may depend only on the item, its files, the plan and `dependsOn`. */
export interface Steps {
  /** The documents that each one leads to, if the steps know them already. */
  readonly linked?: LinkedDocuments;
  each<Item extends StepItem, Result>(
    title: StepTitle,
    items: readonly Item[],
    run: (item: Item) => Result,
    dependsOn?: (item: Item) => unknown,
  ): readonly Result[];
  eachAsync<Item extends StepItem, Result extends JsonValue>(
    title: StepTitle,
    items: readonly Item[],
    run: (item: Item) => Promise<Result>,
    dependsOn?: (item: Item) => unknown,
  ): Promise<readonly Result[]>;
}

export interface EmitInput {
  readonly tools: readonly FlatTool[];
  readonly toolsets: readonly LoweredToolset[];
  readonly policies?: readonly PolicyModel[];
  readonly plan: CompilePlan;
}

/** Everything that one plugin emits. */
interface Emit {
  /** Emits every file of a build, by path, with a manifest that also lists the files `added` by other plugins. */
  emitFiles(input: EmitInput, context: CompileContext, added: readonly OutputFile[]): Promise<readonly OutputFile[]>;
  /**
   * Does what `emitFiles` needs of each tool, for some tools: with `names`, it emits their parts; without them, it finds
   * what decides the names that the whole build chooses.
   */
  emitParts(input: EmitInput, context: CompileContext, names?: unknown): Promise<void>;
  /** The saved form of the results of its steps. */
  readonly keeping: { readonly [Title in EmitStep]: Keeping };
}

/**
 * A plugin that the caller of `compile` passes in process, and so vouches for: what its handler kinds prove counts as
 * proof. No configuration can name one.
 */
export interface BuiltInPlugin {
  readonly name: string;
  readonly rules?: readonly Rule[];
  readonly handlerKinds?: readonly HandlerKind[];
  /** The code of every kind that a plugin of the configuration adds: such a kind is data, which proves nothing. */
  readonly pluginKind?: HandlerKindParts;
  /** Loads what the kinds find in declarations, by the part of the id after `handler/`. */
  loadFindings?(): Promise<{ readonly definitions: DiagnosticDefinitions }>;
  readonly emit?: Emit;
  lintPolicies?(policies: readonly PolicyModel[]): readonly Diagnostic[];
}

/** All plugins of a compilation. */
export interface Plugins {
  readonly rules: readonly Rule[];
  readonly handlerKinds: HandlerKinds;
  readonly emit: Emit | undefined;
  lintPolicies(policies: readonly PolicyModel[]): readonly Diagnostic[];
  /** The plugins that the configuration names, each in a worker of its own. */
  readonly foreign?: ForeignPlugins;
}

/** Threads that have run the steps of some tools, and whose results are in the cache. */
export interface Helpers {
  /** True if a thread has a tool's model. */
  have(tool: Pick<ToolModel, "document">): boolean;
  /** Emits the parts of those tools with the names that the build has chosen. */
  emit(names: unknown): Promise<void>;
}

/** Everything that the phases share while one project is compiled. */
export interface CompileContext extends Steps {
  readonly plan: CompilePlan;
  readonly plugins: Plugins;
  /** All files, including those that could not be parsed. */
  readonly sources: readonly SourceText[];
  readonly documents: readonly LoadedDocument[];
  readonly linked: LinkedDocuments;
  readonly exclusions: Exclusions;
  readonly helpers?: Helpers | undefined;
}

export interface ContextInput {
  readonly plan: CompilePlan;
  readonly documents: readonly LoadedDocument[];
  readonly plugins: Plugins;
  readonly sources?: readonly SourceText[];
  readonly steps?: Steps;
  readonly helpers?: Helpers | undefined;
}

export function createContext({
  plan,
  documents,
  plugins,
  sources = [],
  steps = plainSteps,
  helpers,
}: ContextInput): CompileContext {
  return {
    plan,
    plugins,
    sources,
    documents,
    linked: linkDocuments(documents),
    exclusions: findExclusions(plan.exclude, sources, documents),
    helpers,
    ...steps,
  };
}

/** Creates the context for files that are emitted alone. Of the documents, it knows only the specs. */
export function createContextFor({ plan, tools }: EmitInput, plugins: Plugins): CompileContext {
  return createContext({ plan, plugins, documents: tools.map(({ document }) => document) });
}

export const plainSteps: Steps = {
  each: (_title, items, run) => items.map((item) => run(item)),
  eachAsync: (_title, items, run) => mapFewAtATime(items, run),
};

/** Maximum number of tools or files formatted at once. Formatting all at once would take four times the memory. */
const MOST_AT_ONCE = 4;

export async function mapFewAtATime<Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const waiting = items.entries();
  await Promise.all(
    Array.from({ length: MOST_AT_ONCE }, async () => {
      for (const [index, item] of waiting) results[index] = await map(item);
    }),
  );
  return results;
}
