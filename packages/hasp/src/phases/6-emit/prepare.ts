import { digestOfFile } from "../../emitters/digest.js";
import type { BuildToEmit, EmitInput, ToolToEmit } from "../../emitters/emitter.js";
import {
  definitionsOf,
  keptDefinitions,
  type ToolDefinitions,
  type TypedUses,
} from "../../emitters/shared-definitions.js";
import { nameSharedTypes, type SharedTypeNames, sharedTypesOf } from "../../emitters/shared-types.js";
import { isTypeOfATool, reservedNames } from "../../emitters/type-names.js";
import { formsByTool } from "../../model/lowered.js";
import type { CompilePlan } from "../../model/plan.js";
import { createReadingMemory } from "../../model/reading-memory.js";
import type { FlatTool } from "../../model/tool.js";
import { type GeneratedNames, generatedNames } from "../../typescript/names.js";
import { sameBuildOrNew, samePlanOrNew, sameToolOrNew } from "./same-objects.js";

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

/**
 * Settles what tools must agree on before each can be written by itself: names, above all. Of a portion of many tools
 * it is guessed: that each shared type is declared by another tool.
 */
export function prepare(
  { tools, toolsets, plan: wholePlan, documents = tools.map(({ document }) => document) }: EmitInput,
  { isPortion = false }: { readonly isPortion?: boolean } = {},
): Prepared {
  const { plan, layout } = samePlanOrNew(wholePlan);
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
  const named = nameSharedTypes(definitions, isTaken);
  const sharedTypes = isPortion ? declaredElsewhere(named) : named;
  const forms = formsByTool(toolsets);
  return {
    tools: tools.map((tool) =>
      sameToolOrNew({
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

function declaredElsewhere(named: SharedTypeNames): SharedTypeNames {
  return new Map([...named].map(([definition, name]) => [definition, { ...name, declaredBy: "" }]));
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
