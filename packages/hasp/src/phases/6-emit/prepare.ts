import { digestOfFile } from "../../emitters/base/digest.js";
import type { BuildToEmit, EmitInput, EmitPlan, ToolToEmit } from "../../emitters/base/emitter.js";
import { definitionsOf, type ToolDefinitions, type TypedUses } from "../../emitters/base/shared-definitions.js";
import { nameShared, sharedOf } from "../../emitters/base/shared-names.js";
import { schemasOf, type ToolSchemas } from "../../emitters/base/shared-schemas.js";
import { isTypeOfATool, reservedNames } from "../../emitters/base/type-names.js";
import { formsByTool, type ToolForm } from "../../model/lowered.js";
import type { CompilePlan } from "../../model/plan.js";
import type { FlatTool } from "../../model/tool.js";
import { once } from "../../model/once.js";
import { linkedDocuments } from "../2-resolve/linked-documents.js";
import { type GeneratedNames, generatedNames } from "../../typescript/names.js";
import { createLayout } from "../../emitters/base/layout.js";

/** The input of the emit phase: per tool, and for the build as a whole. */
export interface Prepared {
  /** Keyed by name. */
  readonly tools: readonly ToolToEmit[];
  readonly build: BuildToEmit;
  /** Digests of the sources, keyed and sorted by path. */
  readonly inputs: ReadonlyMap<string, string>;
}

/** Computes what all tools share before each can be emitted separately, mainly names. */
export function prepare({
  tools,
  toolsets,
  policies = [],
  plan: wholePlan,
  documents = tools.map(({ document }) => document),
}: EmitInput): Prepared {
  const plan = emitPlan(wholePlan);
  const layout = createLayout(plan);
  const names = generatedNames(tools.map(({ name }) => name));
  const namesOf = (tool: string): GeneratedNames => {
    const found = names.get(tool);
    if (found === undefined) throw new Error(`The tool ${tool} is not part of this build.`);
    return found;
  };
  const linked = linkedDocuments(documents);
  const typed: TypedUses = new Map();
  // A tool's own types keep their names, regardless of the names in shared files.
  const isOfATool = isTypeOfATool([...names.values()]);
  const isTaken = (name: string): boolean => reservedNames.has(name) || isOfATool(name);
  const formsByName = formsByTool(toolsets);
  const parts = tools.map((tool) => {
    const forms = formsByName.get(tool.name) ?? [];
    const definitions = lazyDefinitions(tool, () => definitionsOf(tool, linked(tool.document), typed));
    return { tool, forms, definitions, schemas: lazySchemas(tool, forms, definitions) };
  });
  const uses = parts.map(({ tool, definitions, schemas }) => [tool.name, { uses: definitions.uses, schemas }] as const);
  const shared = nameShared(new Map(uses), isTaken);
  return {
    tools: parts.map(({ tool, forms, definitions, schemas }) => ({
      tool,
      names: namesOf(tool.name),
      forms,
      shared: sharedOf(tool.name, definitions, schemas, shared),
      layout,
      plan,
    })),
    build: {
      tools: tools.map(({ name, spec }) => {
        const { featureGate } = spec.visibility ?? {};
        return { name, names: namesOf(name), ...(featureGate === undefined ? {} : { featureGate }) };
      }),
      toolsets: toolsets.map(({ name, lists }) => ({
        name,
        lists: lists.map((list) => ({
          dialect: list.dialect,
          tools: list.tools.map(({ tool }) => tool.name),
          excluded: list.excluded.map(({ tool }) => tool.name),
        })),
      })),
      policies,
      layout,
      plan: { ...plan, exclude: wholePlan.exclude },
    },
    inputs: inputsOf(wholePlan, documents),
  };
}

function emitPlan({
  outDir,
  handlersDir,
  context,
  connections,
  dialects,
  stubTemplates,
  unlocked,
}: CompilePlan): EmitPlan {
  return {
    outDir,
    handlersDir,
    dialects,
    unlocked,
    ...(context === undefined ? {} : { context }),
    ...(connections === undefined ? {} : { connections }),
    ...(stubTemplates === undefined ? {} : { stubTemplates }),
  };
}

/** If the cache has their uses, the nodes are looked up only when the tool is emitted again. */
function lazyDefinitions(tool: FlatTool, find: () => ToolDefinitions): ToolDefinitions {
  const found = once(find);
  const { uses, definitions } = tool.facts.of("definitions", () => ({
    uses: found().uses,
    definitions: found().definitions,
  }));
  return {
    uses,
    definitions,
    get nodes() {
      return found().nodes;
    },
  };
}

/** The same for the schemas: what they are depends on how the tool is lowered too. */
function lazySchemas(tool: FlatTool, forms: readonly ToolForm[], definitions: ToolDefinitions): ToolSchemas {
  const found = once(() => schemasOf(tool, forms, definitions));
  const uses = tool.facts.of("schemas", () => found().uses, JSON.stringify(settingsOf(forms)));
  return { uses, formOf: (node) => found().formOf(node), nodeOf: (form) => found().nodeOf(form) };
}

/** What of the forms is not in the key of a tool's facts. */
export function settingsOf(forms: readonly ToolForm[]): readonly unknown[] {
  return forms.map((form) =>
    form.kind === "listed" ? [form.dialect, form.lowered.dialect, form.lowered.wireName, form.lowered.isShown] : form,
  );
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
