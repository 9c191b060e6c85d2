import { sha256 } from "../../../runtime/src/json/sha256.js";
import { ignoreProgress, type OnProgress } from "../diagnostics/progress.js";
import type { LoadedDocument, SourceText } from "../model/document.js";
import type { CompilePlan } from "../model/plan.js";
import type { ToolModel } from "../model/tool.js";
import type { Plugins } from "./plugins.js";
import { linkedDocuments, type LinkedDocuments } from "../model/document-references.js";
import { CompileCache, type Step } from "./compile-cache.js";

type CachedItem = Pick<ToolModel, "document" | "pointer"> & Partial<Pick<ToolModel, "removed">>;

/** Everything that the phases share while one project is compiled. */
export interface CompileContext {
  readonly plan: CompilePlan;
  readonly plugins: Plugins;
  /** All files, including those that could not be parsed. */
  readonly sources: readonly SourceText[];
  readonly documents: readonly LoadedDocument[];
  readonly linked: LinkedDocuments;
  readonly witnesses: boolean;
  readonly cache: CompileCache;
  readonly onProgress: OnProgress;
  /** Returns the key of everything that a tool or its file depends on; `undefined` if nothing may be cached. */
  keyOf(item: CachedItem): string | undefined;
  /** Runs a step for each item. `settingsOf` returns what the outcome depends on besides plan, spec and files. */
  each<Item extends CachedItem, Result, Saved>(
    title: string,
    step: Step<Item, Result, Saved>,
    items: readonly Item[],
    settingsOf?: (item: Item) => string,
  ): readonly Result[];
}

export interface ContextInput {
  readonly plan: CompilePlan;
  readonly documents: readonly LoadedDocument[];
  readonly plugins: Plugins;
  readonly sources?: readonly SourceText[];
  readonly witnesses?: boolean;
  readonly cache?: CompileCache;
  readonly onProgress?: OnProgress;
}

export function createContext({
  plan,
  documents,
  plugins,
  sources = [],
  witnesses = true,
  cache = new CompileCache(),
  onProgress = ignoreProgress,
}: ContextInput): CompileContext {
  const linked = linkedDocuments(documents);
  const keyOf = createToolKeys(plan, linked);
  return {
    plan,
    plugins,
    sources,
    documents,
    linked,
    witnesses,
    cache,
    onProgress,
    keyOf,
    each: (title, step, items, settingsOf) =>
      items.map((item, index) => {
        onProgress(title, index, items.length);
        return cache.run(step, item, keyOf(item), settingsOf?.(item));
      }),
  };
}

function createToolKeys(plan: CompilePlan, linked: LinkedDocuments): CompileContext["keyOf"] {
  const planned = digestOf(planOfOneTool(plan));
  const digests = new Map<LoadedDocument, string>();
  const digestOfDocument = (document: LoadedDocument): string => {
    const known = digests.get(document) ?? digestOf([document.role, document.text]);
    digests.set(document, known);
    return known;
  };
  const keys = new Map<LoadedDocument, string>();
  return ({ document, pointer, removed = [] }) => {
    if (removed.length > 0) return undefined;
    let key = keys.get(document);
    if (key === undefined) {
      const texts = Array.from(linked(document), ([path, each]) => [path, each && digestOfDocument(each)]);
      key = digestOf([planned, texts]);
      keys.set(document, key);
    }
    return `${key}${pointer}`;
  };
}

/** Returns the part of a plan that one tool depends on. The rest concerns all tools together. */
function planOfOneTool({
  today: _today,
  handlerDigests: _handlerDigests,
  configDigests: _configDigests,
  locations: _locations,
  unlocked: _unlocked,
  exclude: _exclude,
  ...plan
}: CompilePlan): unknown {
  return plan;
}

function digestOf(value: unknown): string {
  return sha256(JSON.stringify(value));
}
