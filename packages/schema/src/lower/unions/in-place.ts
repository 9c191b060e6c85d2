import type { Codec } from "../../codec/codec.js";
import type { Keyword } from "../../dialects/definition/keyword-table.js";
import type { JsonSchema, SchemaObject } from "../../vocabulary/json-schema.js";
import { areDisjoint } from "../../vocabulary/disjoint.js";
import { loseKeyword, type Draft } from "../keywords/draft.js";
import { isVerbatim } from "../keywords/verbatim.js";
import { actionFor, type Lowered, type Lowering } from "../lowering.js";
import { lowerNode } from "../keywords/node.js";
import { combineCodecs } from "./union-codec.js";
import { annotationKeywords, inPlaceKeywords, isKeyword } from "../keywords/vocabulary.js";

/**
 * `not`, `allOf`, `if` and what else judges the same value: kept only where everything inside passes unchanged, since
 * a wider schema inside a negation would narrow the whole.
 */
export function lowerConditions(lowering: Lowering, draft: Draft): void {
  const { source } = draft;
  if (source.dependentRequired === undefined && inPlaceKeywords.every((keyword) => source[keyword] === undefined)) {
    return;
  }
  const hasRenamed =
    source.properties !== undefined && draft.kept.get("properties") !== undefined && hasNewNames(draft);
  const keep = (keyword: Keyword, inner: readonly unknown[]): boolean =>
    actionFor(lowering, keyword, draft.isRoot) === "keep" &&
    !hasRenamed &&
    inner.every((schema) => isVerbatim(lowering, schema));
  const single: readonly (readonly [Keyword, readonly unknown[]])[] = [
    ["allOf", source.allOf ?? []],
    ["not", [source.not]],
    ["dependentSchemas", Object.values(source.dependentSchemas ?? {})],
    ["dependentRequired", []],
  ];
  for (const [keyword, inner] of single) {
    if (source[keyword] === undefined) continue;
    if (keep(keyword, inner)) draft.kept.set(keyword, source[keyword]);
    else loseKeyword(lowering, draft, keyword);
  }
  if (source.if !== undefined && (source.then !== undefined || source.else !== undefined)) {
    if (keep("if", [source.if, source.then ?? true, source.else ?? true])) {
      for (const keyword of ["if", "then", "else"] as const) {
        if (source[keyword] !== undefined) draft.kept.set(keyword, source[keyword]);
      }
    } else {
      loseKeyword(lowering, draft, "if");
    }
  }
}

function hasNewNames(draft: Draft): boolean {
  const names = Object.keys(draft.source.properties ?? {});
  const wires = Object.keys((draft.kept.get("properties") ?? {}) as object);
  return wires.some((wire) => !names.includes(wire));
}

/** `anyOf` and `oneOf` of a node that keeps its form. `undefined`: no branch has a value. */
export function lowerUnions(
  lowering: Lowering,
  draft: Draft,
  hasOwnCodec: boolean,
): { readonly codec: Codec | undefined } | undefined {
  const { source } = draft;
  let codec: Codec | undefined;
  for (const keyword of ["anyOf", "oneOf"] as const) {
    const authored = source[keyword];
    if (authored === undefined) continue;
    const branches = possibleBranches(lowering, source, authored);
    const action = actionFor(lowering, keyword, draft.isRoot);
    if (action !== "keep" && action !== "rewrite") {
      loseKeyword(lowering, draft, keyword);
      continue;
    }
    const lossesBefore = lowering.losses.length;
    const lowered = branches
      .map((branch) => ({ branch, lowered: lowerNode(lowering, branch, source) }))
      .filter(
        (entry): entry is { readonly branch: JsonSchema; readonly lowered: Lowered } => entry.lowered !== undefined,
      );
    if (lowered.length === 0) return undefined;
    const combined = combineCodecs(
      lowering,
      lowered.map((entry) => ({ source: entry.branch, lowered: entry.lowered })),
    );
    if (combined.codec !== undefined && (hasOwnCodec || codec !== undefined || !isBare(source, keyword))) {
      // Two changes of one value would have to be told apart; the other constraints of the node stay.
      loseKeyword(lowering, draft, keyword);
      continue;
    }
    codec = combined.codec ?? codec;
    const isUnchanged = combined.codec === undefined && lowering.losses.length === lossesBefore;
    const target = keyword === "oneOf" && action === "keep" && isUnchanged ? "oneOf" : "anyOf";
    if (keyword === "oneOf" && target === "anyOf" && !arePairwiseDisjoint(lowering, branches)) {
      loseKeyword(lowering, draft, keyword);
    }
    if (draft.kept.has(target)) {
      loseKeyword(lowering, draft, keyword);
      continue;
    }
    draft.kept.set(target, combined.schemas);
  }
  return { codec };
}

/**
 * What no other keyword has judged. It depends on everything that judges the same value, so it is kept only where all
 * of that passed unchanged; where nothing else judges, objects and arrays have already said it by
 * `additionalProperties` and `items`.
 */
export function lowerUnevaluated(lowering: Lowering, draft: Draft, isUnchanged: boolean): void {
  const { source } = draft;
  if (!hasInPlaceApplicator(source)) return;
  for (const keyword of ["unevaluatedProperties", "unevaluatedItems"] as const) {
    const value = source[keyword];
    if (value === undefined || value === true) continue;
    if (keyword === "unevaluatedProperties" && source.additionalProperties !== undefined) continue;
    if (actionFor(lowering, keyword, draft.isRoot) === "keep" && isUnchanged && isVerbatim(lowering, value)) {
      draft.kept.set(keyword, value);
    } else {
      loseKeyword(lowering, draft, keyword);
    }
  }
}

/**
 * Whether anything but the node's own keywords judges the same value, so that "unevaluated" is more than "additional".
 */
export function hasInPlaceApplicator(schema: SchemaObject): boolean {
  return (["allOf", "anyOf", "oneOf", "not", "if", "dependentSchemas", "$ref"] as const).some(
    (keyword) => schema[keyword] !== undefined,
  );
}

/** The branches without those that the node's own type already rules out. */
function possibleBranches(
  lowering: Lowering,
  source: SchemaObject,
  branches: readonly JsonSchema[],
): readonly JsonSchema[] {
  const { type } = source;
  return type === undefined ? branches : branches.filter((branch) => !areDisjoint({ type }, branch, lowering.resolve));
}

/** Whether a union is the only constraint of its node, the type apart. */
function isBare(source: SchemaObject, union: Keyword): boolean {
  return Object.keys(source).every(
    (keyword) => keyword === union || keyword === "type" || annotationKeywords.has(keyword) || !isKeyword(keyword),
  );
}

/** Whether no value fits two branches: then `oneOf` and `anyOf` say the same. */
export function arePairwiseDisjoint(lowering: Lowering, branches: readonly JsonSchema[]): boolean {
  if (branches.length > 64) return false;
  return branches.every((branch, index) =>
    branches.slice(index + 1).every((other) => areDisjoint(branch, other, lowering.resolve)),
  );
}
