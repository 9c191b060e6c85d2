import { keywordOrder, type Keyword } from "../../dialects/definition/keyword-table.js";
import type { SchemaObject } from "../../vocabulary/json-schema.js";
import type { Codec } from "../../codec/codec.js";
import { actionFor, reportLoss, withOrigin, refuse, type Lowered, type LoweringContext } from "./context.js";
import { isAnnotation, isKeyword } from "./schema-facts.js";
import { joinDescription, quoted, sentenceFor } from "./sentences.js";

/** A lowered node while its keywords are being decided. */
export interface NodeBuilder {
  readonly source: SchemaObject;
  readonly isRoot: boolean;
  readonly kept: Map<Keyword, unknown>;
  /** Sentences that join the description. */
  readonly words: string[];
  /** How the value changes: one codec for objects, one for arrays. */
  readonly codecs: Codec[];
}

/**
 * What a handler leaves: nothing, if the node goes on; the lowered node that takes its place; or `"impossible"`, if no
 * value is valid.
 */
export type Outcome = Lowered | "impossible" | undefined;

/** Lowers the node's own keywords that it is registered for. */
export type Handler = (context: LoweringContext, builder: NodeBuilder, own: readonly Keyword[]) => Outcome;

/** Starts a node. */
export function createNodeBuilder(source: SchemaObject, isRoot: boolean): NodeBuilder {
  return { source, isRoot, kept: new Map(), words: [], codecs: [] };
}

/** Whether sentences can be told to the model at this node. */
export function canSay(context: LoweringContext, builder: NodeBuilder): boolean {
  return actionFor(context, "description", builder.isRoot) === "keep";
}

/**
 * Gives a keyword up: says it in words (its own, where none are given) where that is possible, and reports the loss.
 */
export function dropKeyword(
  context: LoweringContext,
  builder: NodeBuilder,
  keyword: Keyword,
  words: string | undefined = sentenceFor(keyword, builder.source),
): void {
  const said = canSay(context, builder) ? words : undefined;
  if (said !== undefined) builder.words.push(said);
  reportLoss(context, builder.source, keyword, said);
}

/** Keeps a keyword, gives it up in words, drops it or refuses it, as the dialect's table says. */
export function applyTable(context: LoweringContext, builder: NodeBuilder, keyword: Keyword, value: unknown): void {
  switch (actionFor(context, keyword, builder.isRoot)) {
    case "keep":
      builder.kept.set(keyword, value);
      return;
    case "drop":
      return;
    case "refuse":
      refuse(
        context,
        builder.source,
        "lower/keyword-refused",
        `${context.dialect.id} has no "${keyword}" here, and nothing says the same. Say it without "${keyword}", or leave the tool out of this dialect.`,
      );
      return;
    default:
      dropKeyword(context, builder, keyword);
  }
}

/** Passes annotations on; a default that the dialect has no keyword for is told in words. */
export function applyAnnotations(
  context: LoweringContext,
  builder: NodeBuilder,
  own: readonly string[] = Object.keys(builder.source),
): undefined {
  const { source } = builder;
  for (const keyword of own) {
    // The description is written when the node is finished; definitions stand at the root only.
    if (!isKeyword(keyword) || !isAnnotation(keyword) || keyword === "description" || keyword === "$defs") continue;
    const value = source[keyword];
    if (keyword === "nullable" && value !== true) continue;
    applyTable(context, builder, keyword, value);
    if (keyword === "nullable" && builder.kept.has("nullable")) reportLoss(context, source, keyword);
    if (keyword === "default" && !builder.kept.has(keyword) && quoted(value) !== undefined) {
      builder.words.push(`Default: ${quoted(value)}.`);
    }
  }
}

/** The finished node: keywords in the fixed order, the words joined to the description. */
export function finish(context: LoweringContext, builder: NodeBuilder): SchemaObject {
  const { source, kept, words } = builder;
  if (canSay(context, builder)) {
    const start = source.description ?? (kept.has("title") ? undefined : source.title);
    const description = joinDescription(start, words);
    if (description !== undefined) kept.set("description", description);
  }
  return withOrigin(context, ordered(kept), source);
}

const ranks: ReadonlyMap<string, number> = new Map(keywordOrder.map((keyword, rank) => [keyword, rank]));

/** A schema object with its keywords in the order in which all lowered schemas print them. */
export function ordered(keywords: ReadonlyMap<string, unknown>): SchemaObject {
  const names = [...keywords.keys()];
  if (names.length > 1) names.sort((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0));
  const node: { [keyword: string]: unknown } = {};
  for (const name of names) node[name] = keywords.get(name);
  return node as SchemaObject;
}
