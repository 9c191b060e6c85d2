import type { Diagnostic } from "../diagnostics/diagnostic.js";
import type { CompilePlan } from "../model/plan.js";
import type { FlatTool } from "../model/tool.js";
import { promptTokens } from "../tokens/prompt-tokens.js";
import { schemaNodes } from "../rules/reading/schema-nodes.js";
import { toolsetMembers } from "../rules/reading/toolset-members.js";
import { listed } from "../report/words.js";
import { diffDiagnostics } from "./diagnostics.js";
import type { Version } from "./version.js";

/** What a model reads of a tool, part by part, with the place that says it. */
interface PromptPart {
  readonly name: string;
  readonly text: string;
  readonly pointer: string;
  readonly isInput: boolean;
}

function partsOf(tool: FlatTool): readonly PromptPart[] {
  const { spec, input } = tool;
  const own = (["title", "description", "searchHint", "examples"] as const).map((key) => ({
    name: key === "description" ? "the description" : key === "searchHint" ? "the search hint" : `the ${key}`,
    text: JSON.stringify(spec[key]) ?? "",
    pointer: `/${key}`,
    isInput: false,
  }));
  const nodes = schemaNodes(input.schema);
  const texts = nodes.map(({ schema: { title, description, examples }, pointer, property }) => ({
    name: property === undefined ? "texts of the input" : `the text of "${property}"`,
    text: JSON.stringify([title, description, examples]),
    pointer,
    isInput: true,
  }));
  const orders = nodes.map(({ schema, pointer }) => ({
    name: "the order of properties or values",
    text: JSON.stringify([Object.keys(schema.properties ?? {}), schema.required, schema.enum]),
    pointer: `${pointer} order`,
    isInput: true,
  }));
  return [...own, ...texts, ...orders];
}

/** A note where what a model reads of a tool is other than it was. */
export function comparePrompts(before: FlatTool, after: FlatTool, plan: CompilePlan): readonly Diagnostic[] {
  const earlier = new Map(partsOf(before).map((part) => [`${part.isInput} ${part.pointer}`, part.text]));
  const changed = partsOf(after).filter(({ isInput, pointer, text }) => {
    const old = earlier.get(`${isInput} ${pointer}`);
    // What is new or gone is a change of the schema, not of its words; so is another set of names.
    if (old === undefined) return false;
    return pointer.endsWith(" order") ? old !== text && sorted(old) === sorted(text) : old !== text;
  });
  const isOther = JSON.stringify(before.input.schema) !== JSON.stringify(after.input.schema);
  if (changed.length === 0 && !isOther) return [];
  const names = [...new Set(changed.map(({ name }) => name))];
  const [first] = changed;
  const pointer = first?.pointer.replace(/ order$/u, "") ?? "";
  const location = first === undefined ? after.locate("/input", "key") : first.isInput ? after.input.locate(pointer) : after.locate(pointer);
  const parts = names.length === 0 ? "the schema of the input" : listed(names.length > 4 ? [...names.slice(0, 3), `${names.length - 3} more`] : names);
  const parameters = { parts, before: promptTokens(before, plan), after: promptTokens(after, plan) };
  return [diffDiagnostics("prompt-changed", location, parameters, { tool: after.name })];
}

function sorted(text: string): string {
  return [...text].toSorted().join("");
}

/** What every request of a toolset costs before and after. */
export interface ToolsetCost {
  readonly toolset: string;
  readonly before: number;
  readonly after: number;
  /** Whether the list has other bytes, so that a provider's prompt cache for it starts anew. */
  readonly isOther: boolean;
}

/** The toolsets of both versions with the tokens that their listed tools cost. */
export function compareCosts(before: Version, after: Version): readonly ToolsetCost[] {
  const [old, now] = [before, after].map(
    ({ tools, plan }) => new Map(toolsetMembers(tools, plan).map((toolset) => [toolset.name, toolset.tools.filter(({ metadata }) => !metadata.visibility.shouldDefer)])),
  );
  const costOf = (tools: readonly FlatTool[]): number => tools.reduce((sum, tool) => sum + promptTokens(tool, after.plan), 0);
  const textOf = (tools: readonly FlatTool[]): string => JSON.stringify(tools.map(({ name, spec, input }) => [name, spec.title, spec.description, spec.examples, input.schema]));
  return [...new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])])].toSorted().map((toolset) => {
    const [was, is] = [old?.get(toolset) ?? [], now?.get(toolset) ?? []];
    return { toolset, before: costOf(was), after: costOf(is), isOther: textOf(was) !== textOf(is) };
  });
}
