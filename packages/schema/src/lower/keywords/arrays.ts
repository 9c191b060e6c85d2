import { isUnevaluatedDynamic } from "../context/schema-facts.js";
import type { Codec, TupleCodec } from "../../codec/codec.js";
import type { JsonSchema, SchemaObject } from "../../vocabulary/json-schema.js";
import { applyTable, dropKeyword, type NodeBuilder, type HandlerResult } from "../context/node-builder.js";
import { dropUndefined, isEqualJson, type JsonValue } from "@hasp/base/json";
import { findAction, reportLoss, withOrigin, type LoweredNode, type LoweringContext } from "../context/context.js";
import { isVerbatim } from "./unchanged.js";
import { joinDescription, printSentence } from "../context/sentences.js";
import type { Keyword } from "../../dialects/definition/keyword-table.js";

export function lowerArray(context: LoweringContext, builder: NodeBuilder): HandlerResult {
  const { source } = builder;
  const { tuples, nodes } = context.dialect.shapes;
  const prefix = readPrefix(source);
  let further = furtherItems(source, prefix);
  let bounds: SchemaObject = pickBounds(source);
  if (prefix.length > 0 && tuples !== "kept") {
    const single = onlyItemSchema(prefix, further);
    if (single !== undefined || tuples === "array") {
      if (single === undefined) {
        dropKeyword(context, builder, "prefixItems", printSentence("prefixItems", { prefixItems: prefix }));
      }
      bounds =
        further === false ? { ...bounds, maxItems: Math.min(bounds.maxItems ?? Infinity, prefix.length) } : bounds;
      further =
        single ?? withOrigin(context, { anyOf: [...prefix, ...(further === false ? [] : [further ?? true])] }, source);
    } else if (nodes === "typed") {
      return lowerTuple(context, source, prefix, further);
    }
  }
  const isTuple = prefix.length > 0 && tuples === "kept";
  const prefixLowered = isTuple ? prefix.map((item) => context.steps.lowerNode(context, item, source)) : [];
  if (isTuple) {
    const impossible = prefixLowered.findIndex((item) => item === undefined);
    const possible = prefixLowered.filter((item) => item !== undefined);
    if (impossible !== -1 || possible.some((item) => item.codec !== undefined)) {
      dropKeyword(context, builder, "prefixItems");
      if (further !== undefined && further !== true) reportLoss(context, source, "items");
      further = undefined;
    } else {
      applyTable(
        context,
        builder,
        "prefixItems",
        possible.map((item) => item.schema),
      );
    }
  }
  const codec = lowerItems(context, builder, further, isTuple, bounds);
  lowerContains(context, builder);
  if (source.uniqueItems === true) applyTable(context, builder, "uniqueItems", true);
  if (codec !== undefined) builder.codecs.push({ kind: "array", items: codec });
  return undefined;
}

function pickBounds(source: SchemaObject): { readonly minItems?: number; readonly maxItems?: number } {
  const { minItems, maxItems } = source;
  return dropUndefined({ minItems, maxItems });
}

/** Reads the places of a tuple, without those that `maxItems` rules out. */
function readPrefix({ prefixItems = [], maxItems }: SchemaObject): readonly JsonSchema[] {
  return prefixItems.slice(0, maxItems);
}

function furtherItems(source: SchemaObject, prefix: readonly JsonSchema[]): JsonSchema | undefined {
  const { items, unevaluatedItems, maxItems = Infinity } = source;
  if (prefix.length > 0 && maxItems <= prefix.length) return false;
  if (items !== undefined && !Array.isArray(items)) return items as JsonSchema;
  return isUnevaluatedDynamic(source, "unevaluatedItems") ? undefined : unevaluatedItems;
}

function onlyItemSchema(prefix: readonly JsonSchema[], further: JsonSchema | undefined): JsonSchema | undefined {
  const [first] = prefix;
  const all = further === false ? prefix : [...prefix, further ?? true];
  return all.every((schema) => isEqualJson(schema as JsonValue, first as JsonValue)) ? first : undefined;
}

function lowerItems(
  context: LoweringContext,
  builder: NodeBuilder,
  further: JsonSchema | undefined,
  isTuple: boolean,
  bounds: { readonly minItems?: number; readonly maxItems?: number },
): Codec | undefined {
  const { source } = builder;
  const { shapes } = context.dialect;
  const lowered = further === undefined ? undefined : context.steps.lowerNode(context, further, source);
  let { maxItems } = bounds;
  let codec: Codec | undefined;
  if (further !== undefined && lowered === undefined) {
    if (isTuple && shapes.booleanProperties) applyTable(context, builder, "items", false);
    else {
      maxItems = Math.min(maxItems ?? Infinity, isTuple ? readPrefix(source).length : 0);
      // No item is left to it.
      if (shapes.items === "demanded") builder.kept.set("items", isTuple ? {} : { type: "string" });
    }
  } else if (lowered !== undefined) {
    applyTable(context, builder, "items", lowered.schema);
    codec = lowered.codec;
  } else if (shapes.items === "demanded" && allowsArray(source)) {
    const any = context.steps.lowerNode(context, true, source);
    applyTable(context, builder, "items", any?.schema ?? {});
    codec = any?.codec;
  }
  if (bounds.minItems !== undefined) lowerMinItems(context, builder, bounds.minItems);
  if (maxItems !== undefined) {
    if (maxItems === source.maxItems) applyTable(context, builder, "maxItems", maxItems);
    else if (findAction(context, "maxItems", builder.isRoot) === "keep") builder.kept.set("maxItems", maxItems);
    else dropKeyword(context, builder, "maxItems", printSentence("maxItems", { maxItems }));
  }
  return codec;
}

function allowsArray(source: SchemaObject): boolean {
  return source.type === "array" || (Array.isArray(source.type) && source.type.includes("array"));
}

/** Lowers `minItems`. A bound above what the dialect accepts becomes the largest accepted one, which is weaker. */
function lowerMinItems(context: LoweringContext, builder: NodeBuilder, minItems: number): void {
  const { largestMinItems } = context.dialect;
  if (largestMinItems === undefined || minItems <= largestMinItems) {
    applyTable(context, builder, "minItems", minItems);
    return;
  }
  builder.kept.set("minItems", largestMinItems);
  dropKeyword(context, builder, "minItems", printSentence("minItems", { minItems }));
}

function lowerContains(context: LoweringContext, builder: NodeBuilder): void {
  const { source } = builder;
  if (source.contains === undefined) return;
  const isKept = findAction(context, "contains", builder.isRoot) === "keep" && isVerbatim(context, source.contains);
  for (const keyword of ["contains", "minContains", "maxContains"] as const) {
    if (source[keyword] === undefined) continue;
    if (isKept) builder.kept.set(keyword, source[keyword]);
    else dropKeyword(context, builder, keyword);
  }
}

/** Lowers a tuple to an object with one key per position. */
function lowerTuple(
  context: LoweringContext,
  source: SchemaObject,
  prefix: readonly JsonSchema[],
  further: JsonSchema | undefined,
): LoweredNode {
  const names = prefix.map((_, index) => `item${index}`);
  const least = source.minItems ?? 0;
  const rest = further === false ? undefined : "rest";
  const words = reportTupleLosses(context, source, names.length, least);
  const description = joinDescription(source.description, words);
  const object: SchemaObject = withOrigin(
    context,
    {
      ...dropUndefined({ title: source.title, description }),
      type: "object",
      properties: Object.fromEntries([
        ...names.map((name, index) => [name, prefix[index] ?? true] as const),
        ...(rest === undefined ? [] : [[rest, restOf(context, source, prefix.length, further)] as const]),
      ]),
      required: [...names.slice(0, least), ...(rest === undefined ? [] : [rest])],
      additionalProperties: false,
    },
    source,
  );
  const lowered = context.steps.lowerKeywords(context, object, false);
  if (lowered === undefined) return { schema: { type: "null" }, codec: undefined };
  const codec: TupleCodec = {
    kind: "tuple",
    names,
    ...dropUndefined({ rest, value: lowered.codec }),
  };
  return { schema: lowered.schema, codec };
}

function reportTupleLosses(
  context: LoweringContext,
  source: SchemaObject,
  places: number,
  least: number,
): readonly string[] {
  const lost: (readonly [Keyword, string | undefined])[] = [];
  if (least < places) lost.push(["prefixItems", "Fill the items in order."]);
  if (source.uniqueItems === true) lost.push(["uniqueItems", printSentence("uniqueItems", source)]);
  if (source.contains !== undefined) lost.push(["contains", printSentence("contains", source)]);
  for (const [keyword, words] of lost) reportLoss(context, source, keyword, words);
  return lost.map(([, words]) => words).filter((words) => words !== undefined);
}

function restOf(
  context: LoweringContext,
  source: SchemaObject,
  places: number,
  further: JsonSchema | undefined,
): SchemaObject {
  const { minItems, maxItems } = source;
  return withOrigin(
    context,
    {
      type: "array",
      items: further ?? true,
      ...(minItems === undefined || minItems <= places ? {} : { minItems: minItems - places }),
      ...(maxItems === undefined || maxItems < places ? {} : { maxItems: maxItems - places }),
    },
    source,
  );
}
