import { FIELD_ENTRIES, type FieldGroup } from "@hasp/runtime/contract";
import type { JsonValue } from "@hasp/schema";
import { canonicalText, readOwnMember } from "@hasp/base/json";
import { type Diagnostic, joinList, nameSome } from "@hasp/base/diagnostics";
import { type ComparedKey, type KeysWith, SPEC_KEY_ROWS, type ToolSpec } from "../model/spec-keys.js";
import { findObstacles } from "../model/inclusion/find-obstacles.js";
import { readFreeText } from "../free-text/input.js";
import type { FlatTool } from "../model/tool.js";
import { findGrants } from "../policies/grants.js";
import { compareCalls } from "./compare-calls.js";
import { compareBinding, compareHandler, compareOutputCheck } from "./compare-handlers.js";
import { compareInputs, compareOutputs } from "./compare-input.js";
import { type EntryChange, listEntryChanges, findStrictLost } from "./compare-lists.js";
import {
  findRemovedChecks,
  compareFields,
  compareIsolation,
  compareNeeds,
  compareVisibility,
  findLoosenedFields,
  listAddedClaimsBelow,
  findShownSecrets,
} from "./compare-safety.js";
import { diffDiagnostics } from "./diagnostics.js";
import { ignored, type Members, type Version } from "./version.js";
import type { CompilePlan } from "../model/plan.js";
import { countShared } from "../text/edit-text.js";
import { countPromptTokens } from "../text/prompt-tokens.js";

interface ToolInVersion {
  readonly tool: FlatTool;
  readonly version: Version;
}

export function compareTool(before: ToolInVersion, after: ToolInVersion): readonly Diagnostic[] {
  const entries = listEntryChanges(before.version, after.version, before.tool, after.tool);
  return [
    ...comparePrompts(before.tool, after.tool, entries, after.version.plan),
    ...Object.values(MEMBERS).flatMap((compare) => compare(before, after)),
  ];
}

const MEMBERS: Members<Pick<ToolSpec, ComparedKey>, ToolInVersion> = {
  aliases: ignored("`compareNames`, also for a new tool"),
  input: ({ tool: old }, { tool }) => [
    ...compareInputs(old, tool),
    ...compareGrammars(old, tool),
    ...listAddedClaimsBelow("/input", old, tool),
    ...findShownSecrets("input", old, tool),
  ],
  coerce: (old, now) => changedValue("coerce", true, old, now),
  output: ({ tool: old }, { tool }) => [...compareOutputs(old, tool), ...findShownSecrets("output", old, tool)],
  outputCheck: ({ tool: old }, { tool }) => compareOutputCheck(old, tool),
  concurrency: ({ tool: old }, { tool, version }) => {
    const known = new Set(findLoosenedFields(old, tool).map(({ name }) => name));
    return [
      ...compareFields("concurrency", old, tool),
      ...listAddedClaimsBelow("/concurrency/key", old, tool),
      ...compareCalls(old, tool, known, findGrants(tool, version.policies)),
    ];
  },
  behavior: ({ tool: old }, { tool }) => [
    ...compareFields("behavior", old, tool),
    ...listAddedClaimsBelow("/behavior/destination", old, tool),
    ...changedChoices("behavior", old, tool),
  ],
  visibility: ({ tool: old }, { tool }) => [
    ...compareFields("visibility", old, tool),
    ...compareVisibility(old, tool),
    ...changedChoices("visibility", old, tool),
    ...changedDescribe(old.spec.visibility?.describe?.custom, tool),
  ],
  limits: ({ tool: old }, { tool }) => compareFields("limits", old, tool),
  needs: ({ tool: old }, { tool }) => compareNeeds(old, tool),
  handler: ({ tool: old }, { tool }) => [...compareHandler(old, tool), ...compareIsolation(old, tool)],
  bind: ({ tool: old }, { tool }) => compareBinding(old, tool),
  validate: ({ tool: old }, { tool }) => findRemovedChecks(old, tool),
  display: (old, now) => changedValue("display", {}, old, now),
};

/** Finds new aliases of a tool, and names by which calls ran another; the old name of a renamed tool is not new. */
export function compareNames(before: Version, old: FlatTool | undefined, tool: FlatTool): readonly Diagnostic[] {
  return [tool.name, ...(tool.spec.aliases ?? [])].flatMap((alias, index) => {
    const earlier = before.tools.find(({ name, spec }) => name === alias || spec.aliases?.includes(alias));
    if (earlier === old) return [];
    const location = tool.locate(index === 0 ? "/name" : `/aliases/${index - 1}`);
    if (earlier !== undefined) return [diffDiagnostics("alias-moved", location, { alias, earlier: earlier.name })];
    return index === 0 ? [] : [diffDiagnostics("alias-added", location, { alias })];
  });
}

/** Finds changed fields whose values have no order of strictness. */
function changedChoices(group: FieldGroup, before: FlatTool, after: FlatTool): readonly Diagnostic[] {
  return FIELD_ENTRIES.flatMap(({ group: own, name, path, field }) => {
    const [was, is] = [before, after].map(({ metadata }) => String(readOwnMember(metadata[group], name)));
    // `compareVisibility` reports a deferred tool.
    if (own !== group || field.order !== "choice" || was === is || was === undefined || is === undefined) return [];
    if (path === "visibility.load" && is === "deferred") return [];
    const location = after.locate(Object.hasOwn(after.spec[group] ?? {}, name) ? `/${group}/${name}` : "/name");
    return group === "visibility"
      ? [diffDiagnostics("listing-changed", location, { setting: path, before: was, after: is })]
      : [diffDiagnostics("choice-changed", location, { field: path, before: was, after: is })];
  });
}

/** Reports a changed grammar. `compareInputs` also compares the patterns of regular expressions. */
function compareGrammars(
  { spec: old, input: before }: FlatTool,
  { spec, input, locate }: FlatTool,
): readonly Diagnostic[] {
  const [was, is] = [old, spec].map(({ input }) => readFreeText(input)?.format);
  if (canonicalText(was ?? null) === canonicalText(is ?? null)) return [];
  const location = locate(is === undefined ? "/input" : "/input/format", "key");
  const isProvable = was?.grammar !== "lark" && is?.grammar === "regex";
  const isNarrower = isProvable && findObstacles(input.schema, before.schema).length === 0;
  return [
    ...(was === undefined || isNarrower ? [] : [diffDiagnostics("grammar-may-loosen", location)]),
    ...(is?.grammar === "lark" ? [diffDiagnostics("grammar-may-refuse", location)] : []),
  ];
}

/** Compares the values of a key that people read as they are. */
function changedValue(
  key: "coerce" | "display",
  absent: JsonValue,
  { tool: old }: ToolInVersion,
  { tool }: ToolInVersion,
): readonly Diagnostic[] {
  const [before = "", after = ""] = [old, tool].map(({ spec }) => canonicalText((spec[key] ?? absent) as JsonValue));
  if (before === after) return [];
  const location = tool.locate(tool.spec[key] === undefined ? "/name" : `/${key}`, "key");
  return key === "coerce"
    ? [diffDiagnostics("choice-changed", location, { field: key, before, after })]
    : [diffDiagnostics("display-changed", location, { before, after })];
}

function changedDescribe(before: string | undefined, tool: FlatTool): readonly Diagnostic[] {
  const after = tool.spec.visibility?.describe?.custom;
  if (before === after) return [];
  const location = tool.locate(after === undefined ? "/description" : "/visibility/describe", "key");
  return after === undefined
    ? [diffDiagnostics("description-fixed", location)]
    : [diffDiagnostics("description-varies", location, { name: after })];
}

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
  const own = [
    ...PROMPT_KEYS.map((key) => ({ name: `the ${key}`, value: spec[key], pointer: `/${key}` })),
    { name: "the search hint", value: spec.visibility?.searchHint, pointer: "/visibility/searchHint" },
  ].map(({ value, ...part }) => ({ ...part, text: JSON.stringify(value) ?? "", isInput: false }));
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

function comparePrompts(
  before: FlatTool,
  after: FlatTool,
  entries: readonly EntryChange[],
  plan: CompilePlan,
): readonly Diagnostic[] {
  const lost = findStrictLost(entries);
  return [
    ...(textsChanged(before, after, entries, plan) ?? entriesChanged(before, after, entries)),
    ...(lost.length === 0 ? [] : [diffDiagnostics("strict-lost", after.locate("/name"), { dialects: joinList(lost) })]),
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
  const pointer = first?.pointer.replace(/ order$/u, "") ?? changedNode(before, after);
  const location = first?.isInput === false ? after.locate(pointer) : after.input.locate(pointer);
  const words = changed
    .slice(0, MOST_QUOTED)
    .flatMap(({ isInput, pointer: at, text }) =>
      at.endsWith(" order") ? [] : changedWords(earlier.get(`${isInput} ${at}`) ?? "", text),
    );
  const parts = names.length === 0 ? "the schema of the input" : joinList(nameSome(names, 3));
  const parameters = {
    parts,
    words: words.map((each) => ` ${each}`).join(""),
    before: countPromptTokens(before, plan),
    after: countPromptTokens(after, plan),
    lists: listWords(entries),
  };
  return [diffDiagnostics("prompt-changed", location, parameters)];
}

const MOST_QUOTED = 3;

/** Finds the deepest node of the input that has changed or is new: the cause, if tools share it. */
function changedNode(before: FlatTool, after: FlatTool): string {
  const old = new Map(before.input.nodes.map(({ pointer, schema }) => [pointer, JSON.stringify(schema)]));
  const changed = after.input.nodes.filter(({ pointer, schema }) => old.get(pointer) !== JSON.stringify(schema));
  const deepest = changed.find(
    ({ pointer }) => !changed.some((each) => each.pointer.startsWith(`${pointer}/`) && each.pointer !== pointer),
  );
  return deepest?.pointer ?? "";
}

/** Quotes each changed text, before and after, with a few words around the change. */
function changedWords(before: string, after: string): readonly string[] {
  const textsIn = (text: string): readonly unknown[] => (text === "" ? [] : [JSON.parse(text) as unknown].flat());
  const [old, now] = [textsIn(before), textsIn(after)];
  return now.flatMap((text, index) => {
    const was = old[index];
    const isText = typeof text === "string" && (typeof was === "string" || was === undefined || was === null);
    if (!isText || text === was) return [];
    const [from, to] = cutToChange((was ?? "").split(/\s+/u), text.split(/\s+/u));
    return [`"${from}" → "${to}".`];
  });
}

const WORDS_AROUND = 3;
const MOST_WORDS = 40;

function cutToChange(before: readonly string[], after: readonly string[]): readonly [string, string] {
  const { start, end } = countShared(before, after);
  // A text that only gains or loses its beginning or end needs no words around the change. Such changes read the same in
  // all tools, and a review groups them.
  const isAtEdge = (start === 0) !== (end === 0) && start + end === Math.min(before.length, after.length);
  const around = isAtEdge ? 0 : WORDS_AROUND;
  const cut = (words: readonly string[]): string => {
    const [from, to] = [Math.max(0, start - around), Math.max(0, end - around)];
    const kept = words.slice(from, words.length - to);
    const shown = kept.length > MOST_WORDS ? [...kept.slice(0, MOST_WORDS), "…"] : kept;
    return [...(from > 0 ? ["…"] : []), ...shown, ...(to > 0 ? ["…"] : [])].join(" ");
  };
  return [cut(before), cut(after)];
}

/** Finds entry changes that neither a text nor the input explains, such as a changed hint. */
function entriesChanged(before: FlatTool, tool: FlatTool, entries: readonly EntryChange[]): readonly Diagnostic[] {
  const keys = [...new Set(entries.flatMap((entry) => entry.keys))].filter(
    (key) => key !== "name" || before.name === tool.name,
  );
  if (keys.length === 0) return [];
  const parameters = { keys: joinList(keys.map((key) => `"${key}"`)), lists: listWords(entries) };
  return [diffDiagnostics("entry-changed", tool.locate("/name"), parameters)];
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
