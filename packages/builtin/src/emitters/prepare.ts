import { findOrAdd, sortBy, dropUndefined, lazily } from "@hasp/base/json";
import { digestFile } from "./base/module-text.js";
import type { BuildToEmit, EmitPlan, ToolToEmit } from "./base/emitter.js";
import { findDefinitions, type ToolDefinitions, type TypedUses } from "./base/shared-definitions.js";
import { nameShared, selectShared } from "./base/shared-names.js";
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
  readonly build: BuildToEmit;
  /** Digests of the sources, keyed and sorted by path. */
  readonly inputs: ReadonlyMap<string, string>;
}

/** Computes what all tools share before each can be emitted separately, mainly names. */
export function prepare(input: EmitInput, context: CompileContext): PreparedBuild {
  const { tools, toolsets, policies = [], plan: wholePlan } = input;
  const plan = emitPlan(wholePlan);
  const kinds = context.plugins.handlerKinds;
  const layout = createLayout(plan);
  const names = chooseGeneratedNames(tools.map(({ name }) => name));
  const namesOf = (tool: string): GeneratedNames => {
    const found = names.get(tool);
    if (found === undefined) throw new Error(`The tool ${tool} is not part of this build.`);
    return found;
  };
  const typed: TypedUses = new Map();
  // A tool's own types keep their names, regardless of the names in shared files.
  const isOfATool = isTypeOfATool([...names.values()]);
  const isTaken = (name: string): boolean => reservedNames.has(name) || isOfATool(name);
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
  const parts = tools.flatMap((tool, index) =>
    shares.slice(index, index + 1).map((each) => ({ tool, forms: formsOf(tool), ...each })),
  );
  const uses = parts.map(({ tool, definitions, schemas }) => [tool.name, { uses: definitions.uses, schemas }] as const);
  const shared = nameShared(new Map(uses), isTaken);
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
    tools: parts.map(({ tool, forms, definitions, schemas }) => ({
      tool,
      names: namesOf(tool.name),
      forms,
      shared: selectShared(tool.name, definitions, schemas, shared),
      // A cached part needs no entries.
      get entries() {
        return entriesOf(tool);
      },
      layout,
      plan,
      kinds,
    })),
    build: {
      tools: tools.map(({ name, spec }) => {
        const { featureGate } = spec.visibility ?? {};
        const isText = readFreeText(spec.input) !== undefined;
        return { name, names: namesOf(name), isText, ...dropUndefined({ featureGate }) };
      }),
      toolsets: emitted,
      extensions: listNeeded(tools, emitted).map(({ name }) => name),
      policies,
      layout,
      plan: { ...plan, exclude: wholePlan.exclude },
      kinds,
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
