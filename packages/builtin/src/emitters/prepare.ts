import { findOrAdd, sortBy, dropUndefined, lazily } from "@hasp/base/json";
import { digestFile } from "./base/module-text.js";
import type { BuildToEmit, EmitPlan, ToolToEmit } from "./base/emitter.js";
import { findDefinitions, type ToolDefinitions, type TypedUses } from "./base/shared-definitions.js";
import { nameShared, selectShared, type SharedNames } from "./base/shared-names.js";
import { chooseEntries, type ToolEntries } from "./base/sent-schemas.js";
import { findSharedSchemas, type ToolSchemas } from "./base/shared-schemas.js";
import { isTypeOfATool, reservedNames } from "./base/names.js";
import {
  groupFormsByTool,
  listLaterTools,
  listNeeded,
  listSettings,
  readFreeText,
  DEFAULT_FLOW,
} from "@hasp/compiler/model";
import { findNamespaces } from "./base/namespaces.js";
import type { ToolForm } from "@hasp/compiler/model";
import type { FlatTool, CompilePlan } from "@hasp/compiler";
import type { EmitInput, CompileContext, Keeping } from "@hasp/compiler/plugins";
import { type GeneratedNames, chooseGeneratedNames, createLayout } from "@hasp/compiler/layout";

export interface PreparedBuild {
  readonly tools: readonly ToolToEmit[];
  readonly names: BuildNames;
  readonly build: BuildToEmit;
  /** Digests of the sources, keyed and sorted by path. */
  readonly inputs: ReadonlyMap<string, string>;
}

/** The names that a whole build chooses: plain data. */
export interface BuildNames {
  readonly ofTools: ReadonlyMap<string, GeneratedNames>;
  readonly shared: SharedNames;
}

interface UnnamedTool extends Shares {
  readonly tool: FlatTool;
  readonly forms: readonly ToolForm[];
  readonly entries: ToolEntries;
}

/** Finds what decides the names that tools share. */
export function findParts({ tools, toolsets }: EmitInput, context: CompileContext): readonly UnnamedTool[] {
  const typed: TypedUses = new Map();
  const formsByName = groupFormsByTool(toolsets);
  const formsOf = (tool: FlatTool): readonly ToolForm[] => formsByName.get(tool.name) ?? [];
  const entries = new Map<FlatTool, ToolEntries>();
  const entriesOf = (tool: FlatTool): ToolEntries => {
    return findOrAdd(entries, tool, () => chooseEntries(tool, formsOf(tool)));
  };
  const shares = context.each(
    "Sharing definitions",
    tools,
    (tool): Shares => {
      const definitions = findDefinitions(tool, context.linked(tool.document), typed);
      return { definitions, schemas: findSharedSchemas(tool, formsOf(tool), entriesOf(tool), definitions) };
    },
    (tool) => listSettings(formsOf(tool)),
  );
  return tools.flatMap((tool, index) =>
    shares.slice(index, index + 1).map((each) => ({
      tool,
      forms: formsOf(tool),
      ...each,
      // A cached part needs no entries.
      get entries() {
        return entriesOf(tool);
      },
    })),
  );
}

/** Joins tools with the names that their build has chosen. */
export function nameParts(
  parts: readonly UnnamedTool[],
  names: BuildNames,
  { plan, plugins }: CompileContext,
): readonly ToolToEmit[] {
  const common = { layout: createLayout(plan), plan: emitPlan(plan), kinds: plugins.handlerKinds };
  return parts.map((part) => {
    const { tool, forms, definitions, schemas } = part;
    return {
      tool,
      names: namesOf(tool.name, names),
      forms,
      shared: selectShared(tool.name, definitions, schemas, names.shared),
      get entries() {
        return part.entries;
      },
      ...common,
    };
  });
}

function namesOf(tool: string, { ofTools }: BuildNames): GeneratedNames {
  const found = ofTools.get(tool);
  if (found === undefined) throw new Error(`The tool ${tool} is not part of this build.`);
  return found;
}

/** Computes what all tools share before each can be emitted separately, mainly names. */
export function prepare(input: EmitInput, context: CompileContext): PreparedBuild {
  const { tools, toolsets, policies = [], plan: wholePlan } = input;
  const plan = emitPlan(wholePlan);
  const layout = createLayout(plan);
  const ofTools = chooseGeneratedNames(tools.map(({ name }) => name));
  // A tool's own types keep their names, regardless of the names in shared files.
  const isOfATool = isTypeOfATool([...ofTools.values()]);
  const isTaken = (name: string): boolean => reservedNames.has(name) || isOfATool(name);
  const parts = findParts(input, context);
  const uses = parts.map(({ tool, definitions, schemas }) => [tool.name, { uses: definitions.uses, schemas }] as const);
  const names = { ofTools, shared: nameShared(new Map(uses), isTaken) };
  const emitted = toolsets.map(({ name, lists }) => ({
    name,
    flow: wholePlan.toolsets.find((toolset) => toolset.name === name)?.flow ?? DEFAULT_FLOW,
    lists: lists.map((list) => ({
      dialect: list.dialect,
      namespaces: findNamespaces(list, name, wholePlan),
      tools: list.tools.map(({ tool }) => tool.name),
      later: listLaterTools(list, wholePlan).map(({ tool }) => tool.name),
      excluded: list.excluded.map(({ tool }) => tool.name),
    })),
  }));
  return {
    tools: nameParts(parts, names, context),
    names,
    build: {
      tools: tools.map(({ name, spec }) => {
        const { featureGate } = spec.visibility ?? {};
        const isText = readFreeText(spec.input) !== undefined;
        return { name, names: namesOf(name, names), isText, ...dropUndefined({ featureGate }) };
      }),
      toolsets: emitted,
      extensions: listNeeded(tools, emitted).map(({ name }) => name),
      policies,
      layout,
      plan: { ...plan, exclude: wholePlan.exclude },
      kinds: context.plugins.handlerKinds,
    },
    inputs: inputsOf(wholePlan, context.documents),
  };
}

function emitPlan({
  outDir,
  handlersDir,
  importExtension,
  jsonLists,
  declarations,
  bundle,
  context,
  connections,
  dialects,
  stubTemplates,
  unlocked,
  plugins,
}: CompilePlan): EmitPlan {
  return dropUndefined({
    outDir,
    handlersDir,
    dialects,
    unlocked,
    importExtension,
    jsonLists,
    declarations,
    bundle,
    context,
    connections,
    plugins,
    stubTemplates,
  });
}

interface Shares {
  readonly definitions: ToolDefinitions;
  readonly schemas: ToolSchemas;
}

type SavedShares = readonly [Pick<ToolDefinitions, "uses" | "definitions">, Pick<ToolSchemas, "uses">];

/** Saves what decides the names of shared types and schemas; the rest is computed when it is read. */
export const keepShares: Keeping<FlatTool, Shares, SavedShares> = {
  save: ({ definitions: { uses, definitions }, schemas }) => [{ uses, definitions }, { uses: schemas.uses }],
  restore([definitions, schemas], _tool, run) {
    let whole: Shares | undefined;
    const shares = (): Shares => (whole ??= run());
    const others = { formOf: true, nodeOf: true };
    return {
      definitions: lazily<ToolDefinitions, typeof definitions>(
        definitions,
        { nodes: true },
        () => shares().definitions,
      ),
      schemas: lazily<ToolSchemas, typeof schemas>(schemas, others, () => shares().schemas),
    };
  },
};

function inputsOf(
  { configDigests = {} }: CompilePlan,
  documents: CompileContext["documents"],
): PreparedBuild["inputs"] {
  const read = new Map([
    ...Object.entries(configDigests),
    ...documents.map((document) => [document.uri, digestFile(document)] as const),
  ]);
  return new Map(sortBy(read, ([key]) => key));
}
