import type { Codec, TupleCodec } from "../../codec/codec.js";
import type { JsonSchema, SchemaObject } from "../../vocabulary/json-schema.js";
import { applyTable, loseKeyword, type Draft } from "./draft.js";
import { hasInPlaceApplicator } from "../unions/in-place.js";
import { equalJson } from "../../json/json-value.js";
import { lowerKeywords } from "./keywords.js";
import { actionFor, lose, made, type Lowered, type Lowering } from "../lowering.js";
import { lowerNode } from "./node.js";
import { isVerbatim } from "./verbatim.js";
import type { JsonValue } from "../../json/json.js";
import { described, wordsFor } from "./words.js";
import type { Keyword } from "../../dialects/definition/keyword-table.js";

/** What lowering the keywords for arrays gave: a change of values, or another node in the place of this one. */
export interface ArrayShape {
  readonly codec?: Codec;
  readonly replacement?: Lowered;
}

/** Lowers the keywords that concern arrays into the draft. */
export function lowerArray(lowering: Lowering, draft: Draft): ArrayShape {
  const { source } = draft;
  const { tuples, nodes } = lowering.dialect.shapes;
  const prefix = source.prefixItems ?? [];
  let further = furtherItems(source);
  let bounds: SchemaObject = pickBounds(source);
  if (prefix.length > 0 && tuples !== "kept") {
    const single = onlyItemSchema(prefix, further);
    if (single !== undefined || tuples === "array") {
      if (single === undefined) loseKeyword(lowering, draft, "prefixItems");
      bounds =
        further === false ? { ...bounds, maxItems: Math.min(bounds.maxItems ?? Infinity, prefix.length) } : bounds;
      further =
        single ?? made(lowering, { anyOf: [...prefix, ...(further === false ? [] : [further ?? true])] }, source);
    } else if (nodes === "typed") {
      return lowerTuple(lowering, source, prefix, further);
    }
  }
  const isTuple = prefix.length > 0 && tuples === "kept";
  const prefixLowered = isTuple ? prefix.map((item) => lowerNode(lowering, item, source)) : [];
  if (isTuple) {
    const impossible = prefixLowered.findIndex((item) => item === undefined);
    const possible = prefixLowered.filter((item) => item !== undefined);
    if (impossible !== -1 || possible.some((item) => item.codec !== undefined)) {
      loseKeyword(lowering, draft, "prefixItems");
      if (further !== undefined && further !== true) lose(lowering, source, "items");
      further = undefined;
    } else {
      applyTable(
        lowering,
        draft,
        "prefixItems",
        possible.map((item) => item.schema),
      );
    }
  }
  const codec = lowerItems(lowering, draft, further, isTuple, bounds);
  lowerContains(lowering, draft);
  if (source.uniqueItems === true) applyTable(lowering, draft, "uniqueItems", true);
  return codec === undefined ? {} : { codec: { kind: "array", items: codec } };
}

function pickBounds(source: SchemaObject): { readonly minItems?: number; readonly maxItems?: number } {
  const { minItems, maxItems } = source;
  return { ...(minItems === undefined ? {} : { minItems }), ...(maxItems === undefined ? {} : { maxItems }) };
}

/** The schema of items after the prefix. */
function furtherItems(source: SchemaObject): JsonSchema | undefined {
  const { items, unevaluatedItems } = source;
  if (items !== undefined && !Array.isArray(items)) return items as JsonSchema;
  return hasInPlaceApplicator(source) || source.contains !== undefined ? undefined : unevaluatedItems;
}

/** The one schema that every item has, whatever its place. */
function onlyItemSchema(prefix: readonly JsonSchema[], further: JsonSchema | undefined): JsonSchema | undefined {
  const [first] = prefix;
  const all = further === false ? prefix : [...prefix, further ?? true];
  return all.every((schema) => equalJson(schema as JsonValue, first as JsonValue)) ? first : undefined;
}

function lowerItems(
  lowering: Lowering,
  draft: Draft,
  further: JsonSchema | undefined,
  isTuple: boolean,
  bounds: { readonly minItems?: number; readonly maxItems?: number },
): Codec | undefined {
  const { source } = draft;
  const { shapes } = lowering.dialect;
  const lowered = further === undefined ? undefined : lowerNode(lowering, further, source);
  let { maxItems } = bounds;
  let codec: Codec | undefined;
  if (further !== undefined && lowered === undefined) {
    if (isTuple && shapes.booleanProperties) applyTable(lowering, draft, "items", false);
    else maxItems = Math.min(maxItems ?? Infinity, isTuple ? (source.prefixItems?.length ?? 0) : 0);
    if (shapes.items === "demanded" && !isTuple) draft.kept.set("items", { type: "string" });
  } else if (lowered !== undefined) {
    applyTable(lowering, draft, "items", lowered.schema);
    codec = lowered.codec;
  } else if (shapes.items === "demanded" && allowsArray(source)) {
    const any = lowerNode(lowering, true, source);
    applyTable(lowering, draft, "items", any?.schema ?? {});
    codec = any?.codec;
  }
  if (bounds.minItems !== undefined) lowerMinItems(lowering, draft, bounds.minItems);
  if (maxItems !== undefined) {
    if (maxItems === source.maxItems) applyTable(lowering, draft, "maxItems", maxItems);
    else if (actionFor(lowering, "maxItems", draft.isRoot) === "keep") draft.kept.set("maxItems", maxItems);
    else loseKeyword(lowering, draft, "maxItems", wordsFor("maxItems", { maxItems }));
  }
  return codec;
}

function allowsArray(source: SchemaObject): boolean {
  return source.type === "array" || (Array.isArray(source.type) && source.type.includes("array"));
}

/** A bound that is too large for the dialect is sent as the largest it takes: still true, only weaker. */
function lowerMinItems(lowering: Lowering, draft: Draft, minItems: number): void {
  const { largestMinItems } = lowering.dialect;
  if (largestMinItems === undefined || minItems <= largestMinItems) {
    applyTable(lowering, draft, "minItems", minItems);
    return;
  }
  draft.kept.set("minItems", largestMinItems);
  loseKeyword(lowering, draft, "minItems", wordsFor("minItems", { minItems }));
}

function lowerContains(lowering: Lowering, draft: Draft): void {
  const { source } = draft;
  if (source.contains === undefined) return;
  const isKept = actionFor(lowering, "contains", draft.isRoot) === "keep" && isVerbatim(lowering, source.contains);
  for (const keyword of ["contains", "minContains", "maxContains"] as const) {
    if (source[keyword] === undefined) continue;
    if (isKept) draft.kept.set(keyword, source[keyword]);
    else loseKeyword(lowering, draft, keyword);
  }
}

/**
 * A tuple as an object with a key for each place. Put together as a flat object, so that absence and null follow its
 * rules.
 */
function lowerTuple(
  lowering: Lowering,
  source: SchemaObject,
  prefix: readonly JsonSchema[],
  further: JsonSchema | undefined,
): ArrayShape {
  const names = prefix.map((_, index) => `item${index}`);
  const least = source.minItems ?? 0;
  const rest = further === false ? undefined : "rest";
  const words = loseInTuple(lowering, source, names.length, least);
  const description = described(source.description, words);
  const object: SchemaObject = made(
    lowering,
    {
      ...(source.title === undefined ? {} : { title: source.title }),
      ...(description === undefined ? {} : { description }),
      type: "object",
      properties: Object.fromEntries([
        ...names.map((name, index) => [name, prefix[index] ?? true] as const),
        ...(rest === undefined ? [] : [[rest, restOf(lowering, source, prefix.length, further)] as const]),
      ]),
      required: [...names.slice(0, least), ...(rest === undefined ? [] : [rest])],
      additionalProperties: false,
    },
    source,
  );
  const lowered = lowerKeywords(lowering, object, false);
  if (lowered === undefined) return { replacement: { schema: { type: "null" }, codec: undefined } };
  const codec: TupleCodec = {
    kind: "tuple",
    names,
    ...(rest === undefined ? {} : { rest }),
    ...(lowered.codec === undefined ? {} : { value: lowered.codec }),
  };
  return { replacement: { schema: lowered.schema, codec } };
}

/** What the object's form does not say about the tuple, in words. */
function loseInTuple(lowering: Lowering, source: SchemaObject, places: number, least: number): readonly string[] {
  const lost: (readonly [Keyword, string | undefined])[] = [];
  if (least < places) lost.push(["prefixItems", "Fill the items in order."]);
  if (source.uniqueItems === true) lost.push(["uniqueItems", wordsFor("uniqueItems", source)]);
  if (source.contains !== undefined) lost.push(["contains", wordsFor("contains", source)]);
  if (source.maxItems !== undefined && source.maxItems < places) lost.push(["maxItems", wordsFor("maxItems", source)]);
  for (const [keyword, words] of lost) lose(lowering, source, keyword, words);
  return lost.map(([, words]) => words).filter((words) => words !== undefined);
}

function restOf(
  lowering: Lowering,
  source: SchemaObject,
  places: number,
  further: JsonSchema | undefined,
): SchemaObject {
  const { minItems, maxItems } = source;
  return made(
    lowering,
    {
      type: "array",
      items: further ?? true,
      ...(minItems === undefined || minItems <= places ? {} : { minItems: minItems - places }),
      ...(maxItems === undefined || maxItems < places ? {} : { maxItems: maxItems - places }),
    },
    source,
  );
}
