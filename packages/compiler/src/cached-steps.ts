import type { JsonValue } from "@hasp/schema";
import { canonicalText, findOrAdd, sha256, lazily, findValueAt } from "@hasp/base/json";
import { CompileCache, digestOfText } from "./context/compile-cache.js";
import { type Keeping, plainData } from "./context/keeping.js";
import {
  type CompileStep,
  mapFewAtATime,
  type StepItem,
  type Steps,
  type StepTitle,
  type Plugins,
} from "./context/context.js";
import type { Diagnostic } from "@hasp/base/diagnostics";
import { linkDocuments, type LinkedDocuments } from "./model/document-references.js";
import type { LoadedDocument, SourceText } from "./model/document.js";
import { lowerOnDemand, type LoweredTool } from "./model/lowered.js";
import type { CompilePlan } from "./model/plan.js";
import type { FlatTool, ToolModel } from "./model/tool.js";
import { type Parsed, parseSource } from "./phases/1-load/parse-source.js";
import { type ResolvedFile, toModel } from "./phases/2-resolve/index.js";
import { takeSpec } from "./phases/2-resolve/read-specs.js";
import type { FlattenedTool } from "./phases/3-flatten/index.js";
import type { CheckedTool } from "./phases/4-check/run-rules.js";
import type { ToolOutcome } from "./phases/5-lower/lower-tool.js";

// The only place where the phases meet the cache: they are functions of their input and know nothing of it.

/** Matches a possible YAML anchor. Aliased values are the same objects, which JSON cannot represent. */
const ANCHOR = /&[^\s&]/u;

const parsed: Keeping<SourceText, Parsed, Pick<LoadedDocument, "value" | "references">> = {
  save: ({ value, diagnostics }, { text }) =>
    value === undefined || diagnostics.length > 0 || ANCHOR.test(text)
      ? undefined
      : { value: value.value, references: value.references },
  restore: (saved, { uri, role, text }, run) => {
    const document = (): LoadedDocument => sound(uri, run().value);
    return { value: lazily({ uri, role, text, ...saved }, { locate: true }, document), diagnostics: [] };
  },
};

/** Saves the pointers of a file's specs, if all are sound. */
const resolved: Keeping<{ readonly document: LoadedDocument }, ResolvedFile, readonly string[]> = {
  holds: ({ isSettled }) => isSettled,
  save: ({ tools, diagnostics }) =>
    diagnostics.length === 0 && tools.every(({ isSound }) => isSound)
      ? tools.map(({ tool }) => tool.pointer)
      : undefined,
  restore: (pointers, { document }) => ({
    tools: pointers.map((pointer) => {
      // The spec was valid when it was saved, and the key covers its text.
      const spec = takeSpec(findValueAt(document.value, pointer) as JsonValue);
      return { tool: toModel({ document, pointer, spec, removed: [] }), diagnostics: [], isSound: true };
    }),
    diagnostics: [],
    isSettled: true,
  }),
};

interface SavedFlat extends Pick<FlatTool, "relaxations" | "customFunctions" | "startsProgram" | "worstCase"> {
  readonly hasOutput: boolean;
  readonly hasDestination: boolean;
  readonly hasConditions: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

const flattened: Keeping<ToolModel, FlattenedTool, SavedFlat> = {
  save({ value, diagnostics }) {
    if (value === undefined) return undefined;
    const { output, destination, rules, flags, checks } = value;
    const { relaxations, customFunctions, startsProgram, worstCase } = value;
    const [hasOutput, hasDestination] = [output !== undefined, destination !== undefined];
    const hasConditions = rules.length + flags.length + checks.length > 0;
    const known = { relaxations, customFunctions, startsProgram, worstCase };
    return { ...known, hasOutput, hasDestination, hasConditions, diagnostics };
  },
  restore({ hasOutput, hasDestination, hasConditions, diagnostics, ...saved }, tool, run) {
    const conditions = { rules: hasConditions, flags: hasConditions, checks: hasConditions };
    const schemas = { input: true, bound: true, output: hasOutput, destination: hasDestination, effects: true };
    const others = { ...schemas, ...conditions };
    const flat = (): FlatTool => sound(tool.name, run().value);
    const value = lazily<FlatTool, ToolModel & typeof saved>({ ...tool, ...saved }, others, flat);
    if (!hasConditions) Object.assign(value, { rules: [], flags: [], checks: [] });
    return { value, diagnostics };
  },
};

type CarriedOutcome = Extract<ToolOutcome, { kind: "carried" }>;

type SavedOutcome =
  | Exclude<ToolOutcome, CarriedOutcome>
  | (Omit<CarriedOutcome, "lowered"> & {
      readonly lowered: Pick<LoweredTool, "dialect" | "strict" | "wireName" | "lossCount">;
    });

const lowered: Keeping<FlatTool, readonly ToolOutcome[], readonly SavedOutcome[]> = {
  save: (outcomes) =>
    outcomes.map((outcome) => {
      if (outcome.kind === "uncarried") return outcome;
      const { dialect, strict, wireName, lossCount } = outcome.lowered;
      return { ...outcome, lowered: { dialect, strict, wireName, lossCount } };
    }),
  restore(saved, tool, run) {
    let outcomes: readonly ToolOutcome[] | undefined;
    return saved.map((outcome, index) => {
      if (outcome.kind === "uncarried") return outcome;
      const form = (): LoweredTool => {
        const found = (outcomes ??= run())[index];
        return sound(tool.name, found?.kind === "carried" ? found.lowered : undefined);
      };
      return { ...outcome, lowered: lowerOnDemand({ tool, ...outcome.lowered }, form) };
    });
  },
};

const checked = { ...plainData, holds: ({ crashed }: CheckedTool) => crashed.length === 0 };

/** The saved form of the results of each step of the phases. */
const KEPT: { readonly [Title in CompileStep]: Keeping } = {
  "Parsing files": parsed,
  "Resolving specs": resolved,
  "Flattening tools": flattened,
  "Checking tools": checked,
  "Checking approvals": plainData,
  "Checking flows": plainData,
  "Lowering tools": lowered,
  "Counting tokens": plainData,
  "Describing tools": plainData,
};

function sound<Value>(name: string, value: Value | undefined): Value {
  if (value === undefined) throw new Error(`${name} was sound before and is not now.`);
  return value;
}

/** Runs a step and forgets what is not saved of its result, until that is read. */
function withoutUnsaved<Item, Result>(keeping: Keeping, run: (item: Item) => Result): (item: Item) => Result {
  const { save, restore } = keeping as Keeping<Item, Result>;
  return (item) => restore(save(run(item), item), item, () => run(item));
}

/** Receives the title of a step and its progress. Never changes results. */
export type OnProgress = (step: string, done?: number, total?: number) => void;

export const ignoreProgress: OnProgress = () => undefined;

interface StepsInput {
  readonly cache?: CompileCache;
  readonly plan: CompilePlan;
  readonly plugins: Plugins;
  readonly documents: readonly LoadedDocument[];
  /** False to save memory: a lowered tool is then lowered again once it is read. Default: true. */
  readonly emits?: boolean;
  readonly onProgress?: OnProgress;
}

/** Creates steps that reuse known results and report their progress. */
export function createSteps({
  cache = new CompileCache(),
  plan,
  plugins,
  documents,
  emits = true,
  onProgress = ignoreProgress,
}: StepsInput): Steps {
  const linked = linkDocuments(documents);
  const keyOf = createKeys(settingsOf(plan, plugins), linked);
  const kept: { readonly [Title in StepTitle]?: Keeping } = { ...KEPT, ...plugins.emit?.keeping };
  return {
    linked,
    each(title, items, run, dependsOn) {
      const keeping = kept[title];
      const work = emits || keeping !== lowered ? run : withoutUnsaved(keeping, run);
      return items.map((item, index) => {
        onProgress(title, index, items.length);
        return cache.run(title, item, work, keyOf(item), JSON.stringify(dependsOn?.(item)), keeping);
      });
    },
    eachAsync(title, items, run, dependsOn) {
      let done = 0;
      return mapFewAtATime(items, (item) => {
        onProgress(title, done++, items.length);
        return cache.runAsync(title, item, run, keyOf(item), JSON.stringify(dependsOn?.(item)));
      });
    },
  };
}

/** Parses one file, unless the cache has it: `$ref`s are followed before a compilation begins. */
export function loadSource(source: SourceText, cache: CompileCache): Parsed {
  return cache.run("Parsing files", source, parseSource, digestOfText(source), "", parsed);
}

/** Finds the specs that the cache knows nothing about. */
export function findNewSpecs(
  documents: readonly LoadedDocument[],
  linked: LinkedDocuments,
  { cache, plan, plugins }: Pick<StepsInput, "plan" | "plugins"> & { readonly cache: CompileCache },
): readonly LoadedDocument[] {
  const keyOf = createKeys(settingsOf(plan, plugins), linked);
  return documents.filter((document) => {
    const key = keyOf({ document, pointer: "" });
    return document.role === "spec" && key !== undefined && !cache.knows("Resolving specs" satisfies CompileStep, key);
  });
}

/** Creates the function that returns an item's key; `undefined` if nothing about the item may be cached. */
function createKeys(settings: unknown, linked: LinkedDocuments): (item: StepItem) => string | undefined {
  const general = sha256(canonicalText(settings));
  const digests = new Map<LoadedDocument, string>();
  const digestOfDocument = (document: LoadedDocument): string => {
    return findOrAdd(digests, document, () => sha256(`${document.role} ${document.text}`));
  };
  const keys = new Map<LoadedDocument, string>();
  return (item) => {
    if ("text" in item) return digestOfText(item);
    const { document, pointer, removed = [] } = "tool" in item ? item.tool : item;
    if (removed.length > 0) return undefined;
    let key = keys.get(document);
    if (key === undefined) {
      const texts = Array.from(linked(document), ([path, each]) => [path, each && digestOfDocument(each)]);
      key = sha256(JSON.stringify([general, texts]));
      keys.set(document, key);
    }
    return `${key}${pointer}`;
  };
}

/** Returns what every step depends on besides its item. */
function settingsOf(plan: CompilePlan, { rules, handlerKinds }: Plugins): unknown {
  return [planOfOneTool(plan), rules.map(({ id }) => id), handlerKinds.names];
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
