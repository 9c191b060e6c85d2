import type { JsonValue } from "@hasp/schema";
import { type LinkedDocuments, linkDocuments } from "../model/document-references.js";
import type { LoadedDocument, SourceText } from "../model/document.js";
import type { CompilePlan } from "../model/plan.js";
import type { ToolModel } from "../model/tool.js";
import { type Exclusions, findExclusions } from "./exclusions.js";
import type { EmitInput, Plugins } from "./plugins.js";

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
export type EmitStep = "Sharing definitions" | "Emitting tools" | "Formatting files";

export type StepItem = AskedPart | { readonly tool: AskedPart } | { readonly text: string };

/** Runs a function once per item. A result may depend only on the item, its files, the plan and `dependsOn`. */
export interface Steps {
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

/** Everything that the phases share while one project is compiled. */
export interface CompileContext extends Steps {
  readonly plan: CompilePlan;
  readonly plugins: Plugins;
  /** All files, including those that could not be parsed. */
  readonly sources: readonly SourceText[];
  readonly documents: readonly LoadedDocument[];
  readonly linked: LinkedDocuments;
  readonly exclusions: Exclusions;
}

export interface ContextInput {
  readonly plan: CompilePlan;
  readonly documents: readonly LoadedDocument[];
  readonly plugins: Plugins;
  readonly sources?: readonly SourceText[];
  readonly steps?: Steps;
}

export function createContext({
  plan,
  documents,
  plugins,
  sources = [],
  steps = plainSteps,
}: ContextInput): CompileContext {
  return {
    plan,
    plugins,
    sources,
    documents,
    linked: linkDocuments(documents),
    exclusions: findExclusions(plan.exclude, sources, documents),
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
