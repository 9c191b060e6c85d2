import { keywordOrder, type Keyword } from "../../dialects/definition/keyword-table.js";
import type { SchemaObject } from "../../vocabulary/json-schema.js";
import { keywordRow } from "../../vocabulary/keywords.js";
import type { Codec } from "../../codec/codec.js";
import { findAction, reportLoss, withOrigin, type LoweredNode, type LoweringContext } from "./context.js";
import { isAnnotation, isKeyword } from "./schema-facts.js";
import { joinDescription, quoteJson, printSentence } from "./sentences.js";

export interface NodeBuilder {
  readonly source: SchemaObject;
  readonly isRoot: boolean;
  readonly kept: Map<Keyword, unknown>;
  readonly sentences: string[];
  readonly codecs: Codec[];
}

/** The result of a handler: nothing, a node that replaces this one, or `"impossible"` if no value is valid. */
export type HandlerResult = LoweredNode | "impossible" | undefined;

export type Handler = (context: LoweringContext, builder: NodeBuilder, own: readonly Keyword[]) => HandlerResult;

export function createNodeBuilder(source: SchemaObject, isRoot: boolean): NodeBuilder {
  return { source, isRoot, kept: new Map(), sentences: [], codecs: [] };
}

function canSay(context: LoweringContext, builder: NodeBuilder): boolean {
  return findAction(context, "description", builder.isRoot) === "keep";
}

/** Drops a keyword: describes it in a sentence, if the node can have a description, and reports the loss. */
export function dropKeyword(
  context: LoweringContext,
  builder: NodeBuilder,
  keyword: Keyword,
  words: string | undefined = printSentence(keyword, builder.source),
): void {
  const said = canSay(context, builder) ? words : undefined;
  if (said !== undefined) builder.sentences.push(said);
  reportLoss(context, builder.source, keyword, said);
}

export function applyTable(context: LoweringContext, builder: NodeBuilder, keyword: Keyword, value: unknown): void {
  switch (findAction(context, keyword, builder.isRoot)) {
    case "keep":
      if (isCarriedBound(keyword, value)) builder.kept.set(keyword, value);
      else dropKeyword(context, builder, keyword);
      return;
    case "drop":
    case "refuse": // of the whole schema, by `lower`
      return;
    default:
      dropKeyword(context, builder, keyword);
  }
}

/** False for a bound beyond 2^53: readers of JSON round it, and providers refuse a list with one beyond 64 bits. */
export function isCarriedBound(keyword: Keyword, value: unknown): boolean {
  if (typeof value !== "number" || keywordRow(keyword)?.role !== "assertion" || keyword === "const") return true;
  return !Number.isInteger(value) || Number.isSafeInteger(value);
}

/** Lowers annotations. A default and an example that the dialect has no keyword for become sentences. */
export function applyAnnotations(context: LoweringContext, builder: NodeBuilder): undefined {
  const { source } = builder;
  for (const keyword of Object.keys(source)) {
    // The description is written when the node is finished; definitions are at the root only.
    if (!isKeyword(keyword) || !isAnnotation(keyword) || keyword === "description" || keyword === "$defs") continue;
    const value = source[keyword];
    if (keyword === "nullable" && value !== true) continue;
    applyTable(context, builder, keyword, value);
    if (keyword === "nullable" && builder.kept.has("nullable")) reportLoss(context, source, keyword);
    if (builder.kept.has(keyword)) continue;
    const said = keyword === "examples" && Array.isArray(value) ? value : keyword === "default" ? [value] : [];
    const text = said.map(quoteJson).find((each) => each !== undefined);
    if (text !== undefined) builder.sentences.push(`${keyword === "default" ? "Default" : "Example"}: ${text}.`);
  }
}

/** Builds the node, with the keywords in a fixed order and the sentences in the description. */
export function finish(context: LoweringContext, builder: NodeBuilder): SchemaObject {
  const { source, kept, sentences } = builder;
  const { dialect } = context;
  if (canSay(context, builder)) {
    const start = source.description ?? (kept.has("title") ? undefined : source.title);
    const description = joinDescription(start, sentences);
    if (description !== undefined) kept.set("description", description);
  }
  const node = orderNode(kept);
  return withOrigin(context, dialect.notes === undefined ? node : withNotes(node, source, dialect.notes), source);
}

function withNotes(node: SchemaObject, source: SchemaObject, names: readonly string[]): SchemaObject {
  const notes = names.filter((name) => Object.hasOwn(source, name));
  return notes.length === 0
    ? node
    : { ...node, ...Object.fromEntries(notes.map((name) => [name, Reflect.get(source, name) as unknown])) };
}

const ranks: ReadonlyMap<string, number> = new Map(keywordOrder.map((keyword, rank) => [keyword, rank]));

/** Returns a schema object with its keywords in the order in which lowered schemas print them. */
export function orderNode(keywords: ReadonlyMap<string, unknown>): SchemaObject {
  const ranked: { readonly rank: number; readonly name: string }[] = [];
  for (const name of keywords.keys()) {
    const rank = ranks.get(name) ?? 0;
    let at = ranked.length;
    while (at > 0 && (ranked[at - 1]?.rank ?? 0) > rank) at -= 1;
    ranked.splice(at, 0, { rank, name });
  }
  const node: { [keyword: string]: unknown } = {};
  for (const { name } of ranked) node[name] = keywords.get(name);
  return node as SchemaObject;
}
