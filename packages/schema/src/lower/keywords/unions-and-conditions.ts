import type { Codec } from "../../codec/codec.js";
import type { Keyword } from "../../dialects/definition/keyword-table.js";
import { areDisjoint } from "../../vocabulary/disjoint.js";
import type { JsonSchema, SchemaObject } from "../../vocabulary/json-schema.js";
import { findAction, type LoweredNode, type LoweringContext } from "../context/context.js";
import { dropKeyword, type NodeBuilder } from "../context/node-builder.js";
import { isAnnotation, isKeyword, isUnevaluatedDynamic } from "../context/schema-facts.js";
import { arePairwiseDisjoint, combineCodecs } from "../unions/union-codec.js";
import { isVerbatim } from "./unchanged.js";

/** Lowers applicators in place. They pass only unchanged: a wider schema inside a negation would narrow the whole. */
export function lowerConditions(context: LoweringContext, builder: NodeBuilder): void {
  const { source } = builder;
  // A renamed property, or a null in the place of an absent one, would mean something else to a kept condition.
  const isReshaped =
    source.properties !== undefined &&
    (context.dialect.shapes.optional === "null" ||
      (builder.kept.get("properties") !== undefined && hasNewNames(builder)));
  const keep = (keyword: Keyword, inner: readonly unknown[]): boolean =>
    findAction(context, keyword, builder.isRoot) === "keep" &&
    !isReshaped &&
    inner.every((schema) => isVerbatim(context, schema));
  const single: readonly (readonly [Keyword, readonly unknown[]])[] = [
    ["allOf", source.allOf ?? []],
    ["not", [source.not]],
    ["dependentSchemas", Object.values(source.dependentSchemas ?? {})],
    ["dependentRequired", []],
  ];
  for (const [keyword, inner] of single) {
    if (source[keyword] === undefined) continue;
    if (keep(keyword, inner)) builder.kept.set(keyword, source[keyword]);
    else dropKeyword(context, builder, keyword);
  }
  if (source.if !== undefined && (source.then !== undefined || source.else !== undefined)) {
    if (keep("if", [source.if, source.then ?? true, source.else ?? true])) {
      for (const keyword of ["if", "then", "else"] as const) {
        if (source[keyword] !== undefined) builder.kept.set(keyword, source[keyword]);
      }
    } else {
      dropKeyword(context, builder, "if");
    }
  }
}

function hasNewNames(builder: NodeBuilder): boolean {
  const names = Object.keys(builder.source.properties ?? {});
  const wires = Object.keys((builder.kept.get("properties") ?? {}) as object);
  return wires.some((wire) => !names.includes(wire));
}

/** The keywords of the same node that evaluate some parts of a value, and the one that evaluates all others. */
const EVALUATED_BY = {
  unevaluatedProperties: { evaluators: ["properties", "patternProperties"], covering: "additionalProperties" },
  unevaluatedItems: { evaluators: ["prefixItems", "contains"], covering: "items" },
} as const;

/** Lowers `unevaluated…`, which is kept only if all applicators in place passed unchanged. */
export function lowerUnevaluated(context: LoweringContext, builder: NodeBuilder, isUnchanged: boolean): void {
  const { source } = builder;
  for (const keyword of ["unevaluatedProperties", "unevaluatedItems"] as const) {
    const value = source[keyword];
    const { evaluators, covering } = EVALUATED_BY[keyword];
    if (value === undefined || value === true || source[covering] !== undefined) continue;
    if (!isUnevaluatedDynamic(source, keyword)) continue;
    const isWhole = isUnchanged && evaluators.every((each) => source[each] === undefined || builder.kept.has(each));
    if (findAction(context, keyword, builder.isRoot) === "keep" && isWhole && isVerbatim(context, value)) {
      builder.kept.set(keyword, value);
    } else {
      dropKeyword(context, builder, keyword);
    }
  }
}

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
    const action = findAction(context, keyword, builder.isRoot);
    if (action !== "keep" && action !== "rewrite") {
      dropKeyword(context, builder, keyword);
      continue;
    }
    const lossesBefore = context.losses.length;
    const lowered = branches
      .map((branch) => ({ branch, lowered: context.steps.lowerNode(context, branch, source) }))
      .filter(
        (entry): entry is { readonly branch: JsonSchema; readonly lowered: LoweredNode } => entry.lowered !== undefined,
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
