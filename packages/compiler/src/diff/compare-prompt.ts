import type { Diagnostic } from "../diagnostics/diagnostic.js";
import type { CompilePlan } from "../model/plan.js";
import { type KeysWith, SPEC_KEY_ROWS } from "../model/spec-keys.js";
import type { FlatTool } from "../model/tool.js";
import { promptTokens } from "../tokens/prompt-tokens.js";
import { joinList } from "../text/words.js";
import { type EntryChange, strictLost } from "./compare-lists.js";
import { diffDiagnostics } from "./diagnostics.js";

interface PromptPart {
  readonly name: string;
  readonly text: string;
  readonly pointer: string;
  readonly isInput: boolean;
}

const PROMPT_KEYS = SPEC_KEY_ROWS.flatMap(([key, { diff }]) =>
  diff === "prompt" ? [key as KeysWith<{ readonly diff: "prompt" }>] : [],
);

function partsOf(tool: FlatTool): readonly PromptPart[] {
  const { spec, input } = tool;
  const own = PROMPT_KEYS.map((key) => ({
    name: key === "searchHint" ? "the search hint" : `the ${key}`,
    text: JSON.stringify(spec[key]) ?? "",
    pointer: `/${key}`,
    isInput: false,
  }));
  const nodes = input.nodes;
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

export function comparePrompts(
  before: FlatTool,
  after: FlatTool,
  entries: readonly EntryChange[],
  plan: CompilePlan,
): readonly Diagnostic[] {
  const lost = strictLost(entries);
  const details = { tool: after.name };
  return [
    ...(textsChanged(before, after, entries, plan) ?? entriesChanged(after, entries)),
    ...(lost.length === 0
      ? []
      : [diffDiagnostics("strict-lost", after.locate("/name"), { dialects: joinList(lost) }, details)]),
  ];
}

function textsChanged(
  before: FlatTool,
  after: FlatTool,
  entries: readonly EntryChange[],
  plan: CompilePlan,
): readonly Diagnostic[] | undefined {
  const earlier = new Map(partsOf(before).map((part) => [`${part.isInput} ${part.pointer}`, part.text]));
  const changed = partsOf(after).filter(({ isInput, pointer, text }) => {
    const old = earlier.get(`${isInput} ${pointer}`);
    if (old === undefined) return false;
    return pointer.endsWith(" order") ? old !== text && sorted(old) === sorted(text) : old !== text;
  });
  const isOther = JSON.stringify(before.input.schema) !== JSON.stringify(after.input.schema);
  if (changed.length === 0 && !isOther) return undefined;
  const names = [...new Set(changed.map(({ name }) => name))];
  const [first] = changed;
  const pointer = first?.pointer.replace(/ order$/u, "") ?? "";
  const location =
    first === undefined
      ? after.locate("/input", "key")
      : first.isInput
        ? after.input.locate(pointer)
        : after.locate(pointer);
  const parts =
    names.length === 0
      ? "the schema of the input"
      : joinList(names.length > 4 ? [...names.slice(0, 3), `${names.length - 3} more`] : names);
  const parameters = {
    parts,
    before: promptTokens(before, plan),
    after: promptTokens(after, plan),
    lists: listWords(entries),
  };
  return [diffDiagnostics("prompt-changed", location, parameters, { tool: after.name })];
}

/** Finds entry changes that neither a text nor the input explains, such as a changed hint. */
function entriesChanged(tool: FlatTool, entries: readonly EntryChange[]): readonly Diagnostic[] {
  const keys = [...new Set(entries.flatMap((entry) => entry.keys))];
  if (keys.length === 0) return [];
  const parameters = { keys: joinList(keys.map((key) => `"${key}"`)), lists: listWords(entries) };
  return [diffDiagnostics("entry-changed", tool.locate("/name"), parameters, { tool: tool.name })];
}

function listWords(entries: readonly EntryChange[]): string {
  const changed = entries.filter(({ keys }) => keys.length > 0).map(({ dialect }) => dialect);
  if (changed.length === 0) return "no configured list carries the change";
  return changed.length === entries.length && changed.length > 1
    ? "in every list"
    : `in the list${changed.length === 1 ? "" : "s"} for ${joinList(changed)}`;
}

function sorted(text: string): string {
  return [...text].toSorted().join("");
}
