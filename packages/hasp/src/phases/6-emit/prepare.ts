import { digestOfFile } from "../../emitters/digest.js";
import type { BuildToEmit, EmitInput, EmitPlan, EmittedList, ToolToEmit } from "../../emitters/emitter.js";
import { createLayout, type Layout } from "../../emitters/layout.js";
import {
  definitionsOf,
  keptDefinitions,
  type ToolDefinitions,
  type TypedUses,
} from "../../emitters/shared-definitions.js";
import { nameSharedTypes, sharedTypesOf } from "../../emitters/shared-types.js";
import { isTypeOfATool, reservedNames } from "../../emitters/type-names.js";
import { formsByTool, type ToolForm } from "../../model/lowered.js";
import type { CompilePlan } from "../../model/plan.js";
import { createReadingMemory } from "../../model/reading-memory.js";
import { isSameList } from "../../model/same-list.js";
import type { FlatTool } from "../../model/tool.js";
import { type GeneratedNames, generatedNames } from "../../typescript/names.js";

/** What emitting starts from: what each tool's parts are made from, and what the whole is put together from. */
export interface Prepared {
  /** By name. One for which nothing changed since the last build is the same object. */
  readonly tools: readonly ToolToEmit[];
  /** The same object as the last time as long as it says the same. */
  readonly build: BuildToEmit;
  /** Digests of what was read, by path and sorted by it. */
  readonly inputs: ReadonlyMap<string, string>;
}

const definitionsSoFar = createReadingMemory<FlatTool, ToolDefinitions>(keptDefinitions);

/** Settles what tools must agree on before each can be written by itself: names, above all. */
export function prepare({
  tools,
  toolsets,
  plan: wholePlan,
  documents = tools.map(({ document }) => document),
}: EmitInput): Prepared {
  const { plan, layout } = settled(wholePlan);
  const names = generatedNames(tools.map(({ name }) => name));
  const namesOf = (tool: string): GeneratedNames => {
    const found = names.get(tool);
    if (found === undefined) throw new Error(`The tool ${tool} is not part of this build.`);
    return found;
  };
  const documentsByUri = new Map(documents.map((document) => [document.uri, document]));
  const typed: TypedUses = new Map();
  const definitions = new Map(
    tools.map((tool) => [
      tool.name,
      definitionsSoFar.of(tool, documentsByUri, (asked) => definitionsOf(tool, asked, typed)),
    ]),
  );
  // A tool's own types keep their names, whatever a shared file calls its definitions.
  const isOfATool = isTypeOfATool([...names.values()]);
  const isTaken = (name: string): boolean => reservedNames.has(name) || name === plan.context?.type || isOfATool(name);
  const sharedTypes = nameSharedTypes(definitions, isTaken);
  const forms = formsByTool(toolsets);
  return {
    tools: tools.map((tool) =>
      sameOrNew({
        tool,
        names: namesOf(tool.name),
        forms: forms.get(tool.name) ?? [],
        sharedTypes: sharedTypesOf(
          tool.name,
          definitions.get(tool.name) ?? { uses: [], definitions: [], nodes: new Map() },
          sharedTypes,
        ),
        layout,
        plan,
      }),
    ),
    build: sameBuildOrNew({
      tools: tools.map(({ name }) => ({ name, names: namesOf(name) })),
      toolsets: toolsets.map(({ name, lists }) => ({
        name,
        lists: lists.map((list) => ({
          dialect: list.dialect,
          tools: list.tools.map(({ tool }) => tool.name),
          excluded: list.excluded.map(({ tool }) => tool.name),
        })),
      })),
      layout,
      plan,
    }),
    inputs: inputsOf(wholePlan, documents),
  };
}

function inputsOf(
  { configDigests = {} }: CompilePlan,
  documents: NonNullable<EmitInput["documents"]>,
): Prepared["inputs"] {
  const read = new Map([
    ...Object.entries(configDigests),
    ...documents.map((document) => [document.uri, digestOfFile(document)] as const),
  ]);
  return new Map([...read].toSorted((left, right) => (left[0] < right[0] ? -1 : 1)));
}

/** What emitting looks at of a plan, and where that puts the files. */
interface Settled {
  readonly plan: EmitPlan;
  readonly layout: Layout;
}

let lastSettled: (Settled & { readonly text: string }) | undefined;

/** The same objects as the last time where the plan says the same: a plan is read anew for each build. */
function settled({ outDir, handlersDir, context, dialects, stubTemplates, unlocked }: CompilePlan): Settled {
  const plan: EmitPlan = {
    outDir,
    handlersDir,
    dialects,
    unlocked,
    ...(context === undefined ? {} : { context }),
    ...(stubTemplates === undefined ? {} : { stubTemplates }),
  };
  const text = JSON.stringify(plan);
  if (lastSettled?.text !== text) lastSettled = { text, plan, layout: createLayout(plan) };
  return lastSettled;
}

let lastBuild: BuildToEmit | undefined;

function sameBuildOrNew(build: BuildToEmit): BuildToEmit {
  if (lastBuild === undefined || !isSameBuild(lastBuild, build)) lastBuild = build;
  return lastBuild;
}

/** The plan decides where the files are. */
function isSameBuild(left: BuildToEmit, right: BuildToEmit): boolean {
  return (
    left.plan === right.plan &&
    isSameList(left.tools, right.tools, (a, b) => a.name === b.name && a.names === b.names) &&
    isSameList(
      left.toolsets,
      right.toolsets,
      (a, b) => a.name === b.name && isSameList(a.lists, b.lists, isSameEmittedList),
    )
  );
}

function isSameEmittedList(left: EmittedList, right: EmittedList): boolean {
  return (
    left.dialect === right.dialect && isSameList(left.tools, right.tools) && isSameList(left.excluded, right.excluded)
  );
}

const toolsSoFar = new WeakMap<FlatTool, ToolToEmit>();

function sameOrNew(tool: ToolToEmit): ToolToEmit {
  const last = toolsSoFar.get(tool.tool);
  if (last !== undefined && isSame(last, tool)) return last;
  toolsSoFar.set(tool.tool, tool);
  return tool;
}

function isSame(left: ToolToEmit, right: ToolToEmit): boolean {
  return (
    left.plan === right.plan &&
    left.sharedTypes === right.sharedTypes &&
    left.names.pascal === right.names.pascal &&
    left.names.kebab === right.names.kebab &&
    isSameList(left.forms, right.forms, isSameForm)
  );
}

function isSameForm(left: ToolForm, right: ToolForm): boolean {
  if (left.dialect !== right.dialect) return false;
  if (left.kind === "listed") return right.kind === "listed" && left.lowered === right.lowered;
  return right.kind === "excluded" && left.reason === right.reason;
}
