import type { Codec } from "../../codec/codec.js";
import type { Keyword } from "../../dialects/definition/keyword-table.js";
import { areDisjoint } from "../../vocabulary/disjoint.js";
import type { JsonSchema, SchemaObject } from "../../vocabulary/json-schema.js";
import { actionFor, type Lowered, type LoweringContext } from "../context/context.js";
import { dropKeyword, type NodeBuilder } from "../context/node-builder.js";
import { isAnnotation, isKeyword } from "../context/schema-facts.js";
import { arePairwiseDisjoint, combineCodecs } from "../unions/union-codec.js";
import { lowerNode } from "./node.js";

/** Lowers `anyOf` and `oneOf` of a node that keeps its form. Returns `undefined` if no branch accepts a value. */
export function lowerUnions(
  context: LoweringContext,
  builder: NodeBuilder,
  hasOwnCodec: boolean,
): { readonly codec: Codec | undefined } | undefined {
  const { source } = builder;
  let codec: Codec | undefined;
  for (const keyword of ["anyOf", "oneOf"] as const) {
    const authored = source[keyword];
    if (authored === undefined) continue;
    const branches = possibleBranches(context, source, authored);
    const action = actionFor(context, keyword, builder.isRoot);
    if (action !== "keep" && action !== "rewrite") {
      dropKeyword(context, builder, keyword);
      continue;
    }
    const lossesBefore = context.losses.length;
    const lowered = branches
      .map((branch) => ({ branch, lowered: lowerNode(context, branch, source) }))
      .filter(
        (entry): entry is { readonly branch: JsonSchema; readonly lowered: Lowered } => entry.lowered !== undefined,
      );
    if (lowered.length === 0) return undefined;
    const combined = combineCodecs(
      context,
      lowered.map((entry) => ({ source: entry.branch, lowered: entry.lowered })),
    );
    if (combined.codec !== undefined && (hasOwnCodec || codec !== undefined || !isBare(source, keyword))) {
      // Two changes of one value would have to be told apart; the other constraints of the node stay.
      dropKeyword(context, builder, keyword);
      continue;
    }
    codec = combined.codec ?? codec;
    const isUnchanged = combined.codec === undefined && context.losses.length === lossesBefore;
    const target = keyword === "oneOf" && action === "keep" && isUnchanged ? "oneOf" : "anyOf";
    if (keyword === "oneOf" && target === "anyOf" && !arePairwiseDisjoint(context, branches)) {
      dropKeyword(context, builder, keyword);
    }
    if (builder.kept.has(target)) {
      dropKeyword(context, builder, keyword);
      continue;
    }
    builder.kept.set(target, combined.schemas);
  }
  return { codec };
}

function possibleBranches(
  context: LoweringContext,
  source: SchemaObject,
  branches: readonly JsonSchema[],
): readonly JsonSchema[] {
  const { type } = source;
  return type === undefined ? branches : branches.filter((branch) => !areDisjoint({ type }, branch, context.resolve));
}

function isBare(source: SchemaObject, union: Keyword): boolean {
  return Object.keys(source).every(
    (keyword) => keyword === union || keyword === "type" || isAnnotation(keyword) || !isKeyword(keyword),
  );
}
