import type { Keyword } from "../../dialects/definition/keyword-table.js";
import type { SchemaObject } from "../../vocabulary/json-schema.js";
import { alternativesOf } from "../unions/alternatives.js";
import { lowerAnything, lowerToText } from "./anything.js";
import { applyAnnotations, createDraft, finish, loseKeyword } from "./draft.js";
import { arePairwiseDisjoint } from "../unions/in-place.js";
import type { JsonValue } from "../../json/json.js";
import { equalJson } from "../../json/json-value.js";
import { lowerKeywords } from "./keywords.js";
import { flatNodeOf, made, type Lowered, type Lowering } from "../lowering.js";
import { refuseRecursion } from "./references.js";
import { lowerNode } from "./node.js";
import { nullable } from "./optional.js";
import { combineCodecs } from "../unions/union-codec.js";
import { annotationKeywords, inPlaceKeywords, isUnconstrained, pick } from "./vocabulary.js";
import { described, listed } from "./words.js";

/** Lowers a node for a dialect whose nodes are each of one type, or a union of such nodes. */
export function lowerTyped(lowering: Lowering, node: SchemaObject): Lowered | undefined {
  const hasUnion = node.anyOf !== undefined || node.oneOf !== undefined;
  if (!hasUnion && typeof node.type === "string") return lowerKeywords(lowering, node, false);
  const requirement = unionOfRequirements(lowering, node);
  if (requirement !== undefined) return lowerTyped(lowering, requirement);
  const flatNode = flatNodeOf(lowering, node);
  if (hasUnion && lowering.unions.has(flatNode)) return lowerRepeatedUnion(lowering, node);
  lowering.unions.add(flatNode);
  const plain = withoutConditions(lowering, node);
  const found = alternativesOf(lowering, plain.node);
  const lowered = found === undefined ? lowerToText(lowering, node) : combine(lowering, node, found, plain.words);
  lowering.unions.delete(flatNode);
  return lowered;
}

/** A union that contains itself by way of branches that were joined with what stands beside them. */
function lowerRepeatedUnion(lowering: Lowering, node: SchemaObject): Lowered | undefined {
  const { recursion } = lowering.dialect.shapes;
  if (recursion === "refused" && !lowering.allowNarrowing) {
    refuseRecursion(lowering, node);
    return undefined;
  }
  return lowerToText(lowering, node);
}

/** Conditions beside several alternatives are given up once, at the node, and not in each alternative. */
function withoutConditions(
  lowering: Lowering,
  node: SchemaObject,
): { readonly node: SchemaObject; readonly words: readonly string[] } {
  const words: string[] = [];
  if (inPlaceKeywords.every((keyword) => node[keyword] === undefined)) return { node, words };
  const draft = createDraft(node, false);
  for (const keyword of inPlaceKeywords) {
    if (node[keyword] !== undefined && keyword !== "then" && keyword !== "else") {
      loseKeyword(lowering, draft, keyword);
    }
  }
  // What they judge is unknown now, so nothing may be closed by what they leave over.
  const gone: readonly string[] = [...inPlaceKeywords, "unevaluatedProperties", "unevaluatedItems"];
  return {
    node: made(
      lowering,
      pick(node, (keyword) => !gone.includes(keyword)),
      node,
    ),
    words: draft.words,
  };
}

/**
 * A union whose branches only require properties is told in words: spread out, it would repeat the whole object for
 * each.
 */
function unionOfRequirements(lowering: Lowering, node: SchemaObject): SchemaObject | undefined {
  const union: Keyword = node.anyOf === undefined ? "oneOf" : "anyOf";
  const branches = node[union] ?? [];
  if (node.properties === undefined || branches.length === 0) return undefined;
  const sets = branches.map((branch) =>
    typeof branch === "object" &&
    Object.keys(branch).every(
      (keyword) => keyword === "required" || keyword === "type" || annotationKeywords.has(keyword),
    )
      ? branch.required
      : undefined,
  );
  const known = sets.filter((set) => set !== undefined);
  if (known.length < sets.length) return undefined;
  const choice = listed(
    known.map((set) => listed(set, "and")),
    "or",
  );
  const words = `Give ${union === "anyOf" ? "at least" : "exactly"} one of these: ${choice}.`;
  const draft = createDraft(node, false);
  loseKeyword(lowering, draft, union, words);
  const description = described(node.description, draft.words);
  const rest = pick(node, (keyword) => keyword !== union && keyword !== "description");
  return made(lowering, { ...(description === undefined ? {} : { description }), type: "object", ...rest }, node);
}

function combine(
  lowering: Lowering,
  node: SchemaObject,
  found: readonly SchemaObject[],
  words: readonly string[],
): Lowered | undefined {
  const { shapes } = lowering.dialect;
  if (found.some((schema) => Array.isArray(schema.type)) && shapes.unions === "nowhere") {
    return lowerToText(lowering, node);
  }
  const values = found.filter((schema) => !isNull(schema));
  const takesNull = values.length < found.length;
  if ((takesNull && shapes.nulls === "nowhere") || (values.length > 1 && shapes.unions === "nowhere")) {
    return lowerToText(lowering, node);
  }
  if (node.anyOf === undefined && node.oneOf !== undefined && !arePairwiseDisjoint(lowering, node.oneOf)) {
    return combineAfterOneOf(lowering, node, values, takesNull, words);
  }
  return join(lowering, node, values, takesNull, words);
}

function combineAfterOneOf(
  lowering: Lowering,
  node: SchemaObject,
  values: readonly SchemaObject[],
  takesNull: boolean,
  words: readonly string[],
): Lowered | undefined {
  const draft = createDraft(node, false);
  loseKeyword(lowering, draft, "oneOf");
  return join(lowering, node, values, takesNull, [...words, ...draft.words]);
}

function isNull(schema: SchemaObject): boolean {
  return schema.type === "null";
}

function join(
  lowering: Lowering,
  node: SchemaObject,
  values: readonly SchemaObject[],
  takesNull: boolean,
  words: readonly string[],
): Lowered | undefined {
  const { shapes } = lowering.dialect;
  const [only] = values;
  if (only === undefined) {
    if (!takesNull) return undefined;
    return shapes.nulls === "type-array"
      ? lowerKeywords(lowering, withAbout(lowering, { type: "null" }, node, words), false)
      : lowerToText(lowering, node);
  }
  if (values.length === 1) {
    const lowered = lowerAlternative(lowering, withAbout(lowering, only, node, words));
    if (lowered === undefined || !takesNull) return lowered;
    if (lowered.codec?.kind === "text") return lowerToText(lowering, node);
    return { schema: nullable(lowering, lowered.schema, node), codec: lowered.codec };
  }
  const parts = values
    .map((source) => ({ source, lowered: lowerAlternative(lowering, source) }))
    .filter((part): part is { readonly source: SchemaObject; readonly lowered: Lowered } => part.lowered !== undefined);
  const distinct = parts.filter(
    (part, index) => parts.findIndex((other) => isSame(other.lowered, part.lowered)) === index,
  );
  const [single] = distinct;
  if (distinct.length < 2) {
    if (single === undefined) return undefined;
    return join(lowering, node, [single.source], takesNull, words);
  }
  const { schemas, codec } = combineCodecs(lowering, takesNull ? [...distinct, nullPart] : distinct);
  const branches = (takesNull ? schemas.slice(0, distinct.length) : schemas).flatMap((branch) =>
    spliced(lowering, branch),
  );
  const once = branches.filter(
    (branch, index) => branches.findIndex((other) => equalJson(other as JsonValue, branch as JsonValue)) === index,
  );
  return { schema: unionNode(lowering, node, once.length > 1 ? once : branches, takesNull, words), codec };
}

/** A branch that turned out to be a union itself gives its branches to the union around it. */
function spliced(lowering: Lowering, branch: SchemaObject): readonly SchemaObject[] {
  const { anyOf, description } = branch;
  const [first, ...others] = (anyOf ?? []).filter((inner) => typeof inner === "object");
  if (first === undefined || Object.keys(branch).some((keyword) => keyword !== "anyOf" && keyword !== "description")) {
    return [branch];
  }
  if (description === undefined || first.$ref !== undefined) {
    return others.length === 0 && description !== undefined ? [branch] : [first, ...others];
  }
  return [made(lowering, withDescription(first, described(description, [first.description])), first), ...others];
}

function isSame(a: Lowered, b: Lowered): boolean {
  return (
    equalJson(a.schema as JsonValue, b.schema as JsonValue) &&
    equalJson(a.codec as JsonValue | undefined, b.codec as JsonValue | undefined)
  );
}

const nullPart: { readonly source: SchemaObject; readonly lowered: Lowered } = {
  source: { type: "null" },
  lowered: { schema: { type: "null" }, codec: undefined },
};

function lowerAlternative(lowering: Lowering, alternative: SchemaObject): Lowered | undefined {
  if (alternative.$ref !== undefined || isUnconstrained(alternative)) {
    return lowerNode(lowering, alternative, alternative);
  }
  return Array.isArray(alternative.type)
    ? lowerAnything(lowering, made(lowering, {}, alternative))
    : lowerKeywords(lowering, alternative, false);
}

/** The one alternative with what the node itself says about it. */
function withAbout(
  lowering: Lowering,
  alternative: SchemaObject,
  node: SchemaObject,
  words: readonly string[],
): SchemaObject {
  const about = pick(
    node,
    (keyword) => annotationKeywords.has(keyword) && keyword !== "description" && keyword !== "$defs",
  );
  const inner = alternative.description === node.description ? undefined : alternative.description;
  const description = described(node.description, [inner, ...words]);
  const rest = pick(alternative, (keyword) => keyword !== "description");
  return made(lowering, { ...about, ...rest, ...(description === undefined ? {} : { description }) }, alternative);
}

/** Several alternatives. Where a union stands alone, what the node says goes to its first branch. */
function unionNode(
  lowering: Lowering,
  node: SchemaObject,
  branches: readonly SchemaObject[],
  takesNull: boolean,
  words: readonly string[],
): SchemaObject {
  const { shapes } = lowering.dialect;
  if (shapes.unions === "alone") {
    const [first, ...others] = branches;
    const description = described(node.description, [...words, first?.description]);
    const told = made(lowering, withDescription(first ?? {}, description), first ?? node);
    const union: SchemaObject = made(lowering, { anyOf: [told, ...others] }, node);
    return takesNull ? nullable(lowering, union, node) : union;
  }
  const draft = createDraft(
    pick(node, (keyword) => annotationKeywords.has(keyword)),
    false,
  );
  applyAnnotations(lowering, draft);
  draft.words.push(...words);
  draft.kept.set("anyOf", takesNull ? [...branches, { type: "null" }] : branches);
  return made(lowering, finish(lowering, draft), node);
}

function withDescription(schema: SchemaObject, description: string | undefined): SchemaObject {
  if (description === undefined) return schema;
  const { title, description: _description, ...others } = schema;
  return { ...(title === undefined ? {} : { title }), description, ...others };
}
