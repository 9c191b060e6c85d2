import { keywordOrder, type Keyword } from "../../dialects/definition/keyword-table.js";
import type { SchemaObject } from "../../vocabulary/json-schema.js";
import { actionFor, lose, made, refuse, type Lowering } from "../lowering.js";
import { described, quoted, wordsFor } from "./words.js";

/** A lowered node while its keywords are being decided. */
export interface Draft {
  readonly source: SchemaObject;
  readonly isRoot: boolean;
  readonly kept: Map<Keyword, unknown>;
  /** Sentences that join the description. */
  readonly words: string[];
}

/** Starts a node. */
export function createDraft(source: SchemaObject, isRoot: boolean): Draft {
  return { source, isRoot, kept: new Map(), words: [] };
}

/** Whether sentences can be told to the model at this node. */
export function canSay(lowering: Lowering, draft: Draft): boolean {
  return actionFor(lowering, "description", draft.isRoot) === "keep";
}

/**
 * Gives a keyword up: says it in words (its own, where none are given) where that is possible, and reports the loss.
 */
export function loseKeyword(
  lowering: Lowering,
  draft: Draft,
  keyword: Keyword,
  words: string | undefined = wordsFor(keyword, draft.source),
): void {
  const said = canSay(lowering, draft) ? words : undefined;
  if (said !== undefined) draft.words.push(said);
  lose(lowering, draft.source, keyword, said);
}

/** Keeps a keyword, gives it up in words, drops it or refuses it, as the dialect's table says. */
export function applyTable(lowering: Lowering, draft: Draft, keyword: Keyword, value: unknown): void {
  switch (actionFor(lowering, keyword, draft.isRoot)) {
    case "keep":
      draft.kept.set(keyword, value);
      return;
    case "drop":
      return;
    case "refuse":
      refuse(
        lowering,
        draft.source,
        "lower/keyword-refused",
        `${lowering.dialect.id} has no "${keyword}" here, and nothing says the same. Say it without "${keyword}", or leave the tool out of this dialect.`,
      );
      return;
    default:
      loseKeyword(lowering, draft, keyword);
  }
}

const plainAnnotations = [
  "title",
  "deprecated",
  "readOnly",
  "writeOnly",
  "$comment",
  "contentEncoding",
  "contentMediaType",
  "contentSchema",
  "default",
  "examples",
  "nullable",
] as const satisfies readonly Keyword[];

/** Passes annotations on; a default that the dialect has no keyword for is told in words. */
export function applyAnnotations(lowering: Lowering, draft: Draft): void {
  const { source } = draft;
  for (const keyword of plainAnnotations) {
    const value = source[keyword];
    if (value === undefined) continue;
    if (keyword === "nullable" && value !== true) continue;
    applyTable(lowering, draft, keyword, value);
    if (keyword === "nullable" && draft.kept.has("nullable")) lose(lowering, source, keyword);
    if (keyword === "default" && !draft.kept.has(keyword) && quoted(value) !== undefined) {
      draft.words.push(`Default: ${quoted(value)}.`);
    }
  }
}

/** The finished node: keywords in the fixed order, the words joined to the description. */
export function finish(lowering: Lowering, draft: Draft): SchemaObject {
  const { source, kept, words } = draft;
  if (canSay(lowering, draft)) {
    const start = source.description ?? (kept.has("title") ? undefined : source.title);
    const description = described(start, words);
    if (description !== undefined) kept.set("description", description);
  }
  return made(lowering, ordered(kept), source);
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
