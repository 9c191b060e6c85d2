import { keptDigestOfText } from "../../emitters/digest.js";
import type { BuildToEmit, EmitInput, ToolToEmit } from "../../emitters/emitter.js";
import { createLayout } from "../../emitters/layout.js";
import { definitionsOf, keptDefinitions, type ToolDefinitions, type TypedUses } from "../../emitters/shared-definitions.js";
import { nameSharedTypes, sharedTypesOf } from "../../emitters/shared-types.js";
import { ownSuffixes, reservedNames } from "../../emitters/type-names.js";
import { formsByTool } from "../../model/lowered.js";
import type { CompilePlan } from "../../model/plan.js";
import { createReadingMemory } from "../../model/reading-memory.js";
import type { FlatTool } from "../../model/tool.js";
import { type GeneratedNames, generatedNames } from "../../typescript/names.js";

/** What emitting starts from: what each tool's parts are made from, and what the whole is put together from. */
export interface Prepared {
  readonly tools: readonly ToolToEmit[];
  readonly build: BuildToEmit;
}

const definitionsSoFar = createReadingMemory<FlatTool, ToolDefinitions>(keptDefinitions);

/** Settles what tools must agree on before each can be written by itself: names, above all. */
export function prepare({ tools, toolsets, plan, documents = tools.map(({ document }) => document) }: EmitInput): Prepared {
  const layout = createLayout(plan);
  const names = generatedNames(tools.map(({ name }) => name));
  const namesOf = (tool: string): GeneratedNames => {
    const found = names.get(tool);
    if (found === undefined) throw new Error(`The tool ${tool} is not part of this build.`);
    return found;
  };
  const documentsByUri = new Map(documents.map((document) => [document.uri, document]));
  const typed: TypedUses = new Map();
  const definitions = new Map(tools.map((tool) => [tool.name, definitionsSoFar.of(tool, documentsByUri, (asked) => definitionsOf(tool, asked, typed))]));
  const usesByTool = new Map([...definitions].map(([tool, { uses }]) => [tool, uses]));
  const sharedTypes = nameSharedTypes(usesByTool, takenTypeNames([...names.values()], plan));
  const forms = formsByTool(toolsets);
  return {
    tools: tools.map((tool) => ({
      tool,
      names: namesOf(tool.name),
      forms: forms.get(tool.name) ?? [],
      sharedTypes: sharedTypesOf(tool.name, definitions.get(tool.name) ?? { uses: [], definitions: [], nodes: new Map() }, sharedTypes),
      layout,
      plan,
    })),
    build: {
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
      inputs: { ...plan.configDigests, ...Object.fromEntries(documents.map(({ uri, text }) => [uri, keptDigestOfText(text)])) },
    },
  };
}

/** A tool's own types keep their names, whatever a shared file calls its definitions. */
function takenTypeNames(names: readonly GeneratedNames[], { context }: CompilePlan): readonly string[] {
  const own = names.flatMap(({ pascal }) => ownSuffixes.map((suffix) => pascal + suffix));
  return [...own, ...reservedNames, ...(context === undefined ? [] : [context.type])];
}
