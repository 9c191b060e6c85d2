import { createEncoder } from "../../codec/encode.js";
import type { Codec } from "../../codec/codec.js";
import { dropUndefined, type JsonValue, isEqualJson } from "@hasp/base/json";
import type { JsonSchema, SchemaObject } from "../../vocabulary/json-schema.js";
import { lowerAnything, lowerToText } from "./json-text.js";
import { lowerKeywords } from "./node-keywords.js";
import { withOrigin, refuse, type LoweredNode, type LoweringContext, findFlatNode } from "../context/context.js";
import { lowerReference, refuseRecursion } from "./references.js";
import { countUnchanged } from "./unchanged.js";
import { isUnconstrained, isAnnotation, inPlaceKeywords, pick } from "../context/schema-facts.js";
import type { Keyword } from "../../dialects/definition/keyword-table.js";
import { listAlternatives, joinAlternatives } from "../unions/alternatives.js";
import { applyAnnotations, createNodeBuilder, finish, dropKeyword } from "../context/node-builder.js";
import { toNormalForm } from "./normal-form.js";
import { nullable } from "./optional.js";
import { combineCodecs, arePairwiseDisjoint } from "../unions/union-codec.js";
import { joinDescription } from "../context/sentences.js";
import { joinList } from "@hasp/base/diagnostics";

/** Limits the nesting of a schema, since lowering is recursive. */
const DEEPEST = 400;

/** Limits the nodes of a lowered schema, since expanding unions and references may multiply them. */
const MOST_NODES = 10_000;

/** Lowers a node below the root; `undefined` if no value is valid or the tool was refused. `owner` holds a boolean. */
export function lowerNode(context: LoweringContext, schema: JsonSchema, owner: object): LoweredNode | undefined {
  if (schema === false) return undefined;
  const node: SchemaObject = schema === true ? withOrigin(context, {}, owner) : schema;
  const unchanged = countUnchanged(context, node);
  if (unchanged > 0 && context.nodes + unchanged <= MOST_NODES && context.depth + unchanged <= DEEPEST) {
    context.nodes += unchanged;
    return { schema: node, codec: undefined };
  }
  if (context.depth >= DEEPEST) {
    refuse(context, node, "too-deep", { most: DEEPEST });
    return undefined;
  }
  context.nodes += 1;
  if (context.nodes > MOST_NODES) {
    if (context.nodes === MOST_NODES + 1) {
      refuse(context, node, "too-large", { most: MOST_NODES });
    }
    return undefined;
  }
  context.depth += 1;
  const lowered = lowerObjectSchema(context, node);
  context.depth -= 1;
  return lowered && withShapedAnnotations(context, lowered);
}

function lowerObjectSchema(context: LoweringContext, node: SchemaObject): LoweredNode | undefined {
  if (node.$ref !== undefined) return lowerReference(context, node);
  if (isUnconstrained(node)) return lowerAnything(context, node);
  return context.dialect.shapes.nodes === "typed" ? lowerTyped(context, node) : lowerKeywords(context, node, false);
}

/** Encodes defaults and examples, which must have the same shape as values on the wire. */
export function withShapedAnnotations(context: LoweringContext, lowered: LoweredNode): LoweredNode {
  const { schema, codec } = lowered;
  if (codec === undefined || (schema.default === undefined && schema.examples === undefined)) return lowered;
  const isShapable = !mentionsDefinitions(codec);
  const encode = createEncoder(codec);
  const entries = Object.entries(schema).flatMap(([keyword, value]): readonly (readonly [string, unknown])[] => {
    if (keyword !== "default" && keyword !== "examples") return [[keyword, value]];
    if (!isShapable) return [];
    if (keyword === "default") return [[keyword, encode(value as JsonValue)]];
    return [[keyword, (value as readonly JsonValue[]).map((example) => encode(example))]];
  });
  return { schema: withOrigin(context, Object.fromEntries(entries), schema), codec };
}

function mentionsDefinitions(codec: Codec): boolean {
  return JSON.stringify(codec).includes('"kind":"reference"');
}

/** Lowers a node for a dialect whose nodes have one type each or are unions of such nodes. */
export function lowerTyped(context: LoweringContext, flat: SchemaObject): LoweredNode | undefined {
  const node = toNormalForm(context, flat);
  const hasUnion = node.anyOf !== undefined || node.oneOf !== undefined;
  if (!hasUnion && typeof node.type === "string" && !isNull(node)) return lowerKeywords(context, node, false);
  const requirement = unionOfRequirements(context, node);
  if (requirement !== undefined) return lowerTyped(context, requirement);
  const flatNode = findFlatNode(context, node);
  if (hasUnion && context.unions.has(flatNode)) return lowerRepeatedUnion(context, node);
  context.unions.add(flatNode);
  const plain = withoutConditions(context, node);
  const found = listAlternatives(context, plain.node);
  const lowered = found === undefined ? lowerToText(context, node) : combine(context, node, found, plain.words);
  context.unions.delete(flatNode);
  return lowered;
}

/** Lowers a union that contains itself through branches that were joined with its siblings. */
function lowerRepeatedUnion(context: LoweringContext, node: SchemaObject): LoweredNode | undefined {
  const { recursion } = context.dialect.shapes;
  if (recursion === "refused" && !context.allowNarrowing) {
    refuseRecursion(context, node);
    return undefined;
  }
  return lowerToText(context, node);
}

/** Drops the conditions of a node once, before it is expanded into alternatives. */
function withoutConditions(
  context: LoweringContext,
  node: SchemaObject,
): { readonly node: SchemaObject; readonly words: readonly string[] } {
  const words: string[] = [];
  if (inPlaceKeywords.every((keyword) => node[keyword] === undefined)) return { node, words };
  const builder = createNodeBuilder(node, false);
  for (const keyword of inPlaceKeywords) {
    if (node[keyword] !== undefined && keyword !== "then" && keyword !== "else") {
      dropKeyword(context, builder, keyword);
    }
  }
  // Nobody knows now which members they validate, so they must not decide what else is closed.
  const gone: readonly string[] = [...inPlaceKeywords, "unevaluatedProperties", "unevaluatedItems"];
  return {
    node: withOrigin(
      context,
      pick(node, (keyword) => !gone.includes(keyword)),
      node,
    ),
    words: builder.sentences,
  };
}

/** Drops a union whose branches only require properties. Expanding it would repeat the whole object for each branch. */
function unionOfRequirements(context: LoweringContext, node: SchemaObject): SchemaObject | undefined {
  const union: Keyword = node.anyOf === undefined ? "oneOf" : "anyOf";
  const branches = node[union] ?? [];
  if (node.properties === undefined || branches.length === 0) return undefined;
  const sets = branches.map((branch) =>
    typeof branch === "object" &&
    Object.keys(branch).every((keyword) => keyword === "required" || keyword === "type" || isAnnotation(keyword))
      ? branch.required
      : undefined,
  );
  const known = sets.filter((set) => set !== undefined);
  if (known.length < sets.length) return undefined;
  const choice = joinList(
    known.map((set) => joinList(set)),
    "or",
  );
  const words = `Give ${union === "anyOf" ? "at least" : "exactly"} one of these: ${choice}.`;
  const builder = createNodeBuilder(node, false);
  dropKeyword(context, builder, union, words);
  const description = joinDescription(node.description, builder.sentences);
  const rest = pick(node, (keyword) => keyword !== union && keyword !== "description");
  const isObject = branches.every((branch) => typeof branch === "object" && branch.type === "object");
  const about: SchemaObject = {
    ...dropUndefined({ description }),
    ...(isObject ? { type: "object" } : {}),
  };
  return withOrigin(context, { ...about, ...rest }, node);
}

function combine(
  context: LoweringContext,
  node: SchemaObject,
  found: readonly SchemaObject[],
  words: readonly string[],
): LoweredNode | undefined {
  const { shapes } = context.dialect;
  if (found.some((schema) => Array.isArray(schema.type)) && shapes.unions === "nowhere") {
    return lowerToText(context, node);
  }
  const values = found.filter((schema) => !isNull(schema));
  const takesNull = values.length < found.length;
  if ((takesNull && shapes.nulls === "nowhere") || (values.length > 1 && shapes.unions === "nowhere")) {
    return lowerToText(context, node);
  }
  if (node.anyOf === undefined && node.oneOf !== undefined && !arePairwiseDisjoint(context, node.oneOf)) {
    return combineAfterOneOf(context, node, values, takesNull, words);
  }
  return join(context, node, values, takesNull, words);
}

function combineAfterOneOf(
  context: LoweringContext,
  node: SchemaObject,
  values: readonly SchemaObject[],
  takesNull: boolean,
  words: readonly string[],
): LoweredNode | undefined {
  const builder = createNodeBuilder(node, false);
  dropKeyword(context, builder, "oneOf");
  return join(context, node, values, takesNull, [...words, ...builder.sentences]);
}

function isNull(schema: SchemaObject): boolean {
  return schema.type === "null";
}

function join(
  context: LoweringContext,
  node: SchemaObject,
  values: readonly SchemaObject[],
  takesNull: boolean,
  words: readonly string[],
): LoweredNode | undefined {
  const { shapes } = context.dialect;
  const [only] = values;
  if (only === undefined) {
    if (!takesNull) return undefined;
    if (shapes.nulls === "type-array" || shapes.nulls === "branch") {
      return lowerKeywords(context, withAbout(context, { type: "null" }, node, words), false);
    }
    return shapes.enums === "strings"
      ? lowerKeywords(context, withAbout(context, { enum: [null] }, node, words), false)
      : lowerToText(context, node);
  }
  if (values.length === 1) {
    const lowered = lowerAlternative(context, withAbout(context, only, node, words));
    if (lowered === undefined || !takesNull) return lowered;
    if (lowered.codec?.kind === "text") return lowerToText(context, node);
    return { schema: nullable(context, lowered.schema, node), codec: lowered.codec };
  }
  // Alternatives that are sent alike are one branch, which takes the values of them all.
  const distinct: { readonly first: SchemaObject; source: JsonSchema; readonly lowered: LoweredNode }[] = [];
  for (const source of values) {
    const lowered = lowerAlternative(context, source);
    if (lowered === undefined) continue;
    const same = distinct.find((other) => isSame(other.lowered, lowered));
    if (same === undefined) distinct.push({ first: source, source, lowered });
    else same.source = joinAlternatives(context, [same.source, source], node);
  }
  const [single] = distinct;
  if (single === undefined) return undefined;
  if (distinct.length === 1) return join(context, node, [single.first], takesNull, words);
  const { schemas, codec } = combineCodecs(context, takesNull ? [...distinct, nullPart] : distinct);
  const branches = (takesNull ? schemas.slice(0, distinct.length) : schemas).flatMap((branch) =>
    spliced(context, branch),
  );
  const once = branches.filter(
    (branch, index) => branches.findIndex((other) => isEqualJson(other as JsonValue, branch as JsonValue)) === index,
  );
  const kept = once.length > 1 ? once : branches;
  // A null that a reference brings stands last, as one of the union's own does.
  const others = kept.filter((branch) => !isNull(branch));
  const bringsNull = others.length > 1 && others.length < kept.length;
  return { schema: unionNode(context, node, bringsNull ? others : kept, takesNull || bringsNull, words), codec };
}

function spliced(context: LoweringContext, branch: SchemaObject): readonly SchemaObject[] {
  const { anyOf, description } = branch;
  const [first, ...others] = (anyOf ?? []).filter((inner) => typeof inner === "object");
  if (first === undefined || Object.keys(branch).some((keyword) => keyword !== "anyOf" && keyword !== "description")) {
    return [branch];
  }
  if (description === undefined || first.$ref !== undefined) {
    return others.length === 0 && description !== undefined ? [branch] : [first, ...others];
  }
  return [
    withOrigin(context, withDescription(first, joinDescription(description, [first.description])), first),
    ...others,
  ];
}

function isSame(a: LoweredNode, b: LoweredNode): boolean {
  return (
    isEqualJson(a.schema as JsonValue, b.schema as JsonValue) &&
    isEqualJson(a.codec as JsonValue | undefined, b.codec as JsonValue | undefined)
  );
}

const nullPart: { readonly source: SchemaObject; readonly lowered: LoweredNode } = {
  source: { type: "null" },
  lowered: { schema: { type: "null" }, codec: undefined },
};

function lowerAlternative(context: LoweringContext, alternative: SchemaObject): LoweredNode | undefined {
  if (alternative.$ref !== undefined || isUnconstrained(alternative)) {
    return lowerNode(context, alternative, alternative);
  }
  return Array.isArray(alternative.type)
    ? lowerAnything(context, withOrigin(context, {}, alternative))
    : lowerKeywords(context, alternative, false);
}

function withAbout(
  context: LoweringContext,
  alternative: SchemaObject,
  node: SchemaObject,
  words: readonly string[],
): SchemaObject {
  const about = pick(node, (keyword) => isAnnotation(keyword) && keyword !== "description" && keyword !== "$defs");
  const inner = alternative.description === node.description ? undefined : alternative.description;
  const description = joinDescription(node.description, [inner, ...words]);
  const rest = pick(alternative, (keyword) => keyword !== "description");
  return withOrigin(context, { ...about, ...rest, ...dropUndefined({ description }) }, alternative);
}

/** Builds a union of several alternatives. If it must stand alone, the node's description moves to its first branch. */
function unionNode(
  context: LoweringContext,
  node: SchemaObject,
  branches: readonly SchemaObject[],
  takesNull: boolean,
  words: readonly string[],
): SchemaObject {
  const { shapes } = context.dialect;
  if (shapes.unions === "alone") {
    const [first, ...others] = branches;
    const description = joinDescription(node.description, [...words, first?.description]);
    const told = withOrigin(context, withDescription(first ?? {}, description), first ?? node);
    const union: SchemaObject = withOrigin(context, { anyOf: [told, ...others] }, node);
    return takesNull ? nullable(context, union, node) : union;
  }
  const builder = createNodeBuilder(
    pick(node, (keyword) => isAnnotation(keyword)),
    false,
  );
  applyAnnotations(context, builder);
  builder.sentences.push(...words);
  builder.kept.set("anyOf", takesNull ? [...branches, { type: "null" }] : branches);
  return withOrigin(context, finish(context, builder), node);
}

function withDescription(schema: SchemaObject, description: string | undefined): SchemaObject {
  if (description === undefined) return schema;
  const { title, description: _description, ...others } = schema;
  return { ...dropUndefined({ title }), description, ...others };
}
