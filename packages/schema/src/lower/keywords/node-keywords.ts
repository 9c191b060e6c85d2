import type { Codec } from "../../codec/codec.js";
import { keywordOrder, type Keyword } from "../../dialects/definition/keyword-table.js";
import type { SchemaObject } from "../../vocabulary/json-schema.js";
import type { LoweredNode, LoweringContext } from "../context/context.js";
import {
  applyAnnotations,
  createNodeBuilder,
  dropKeyword,
  finish,
  type Handler,
  type NodeBuilder,
} from "../context/node-builder.js";
import { concerns, declaredTypes } from "../context/schema-facts.js";
import { lowerArray } from "./arrays.js";
import { lowerAssertions, lowerValues } from "./scalars.js";
import { lowerConditions, lowerUnevaluated, lowerUnions } from "./unions-and-conditions.js";
import { lowerObject } from "./objects.js";
import { toNormalForm } from "./normal-form.js";

const HANDLERS: { readonly [keyword in Keyword]: Handler } = {
  $ref: dropAll,
  $defs: applyAnnotations,
  title: applyAnnotations,
  description: applyAnnotations,
  nullable: applyAnnotations,
  contentEncoding: applyAnnotations,
  contentMediaType: applyAnnotations,
  contentSchema: applyAnnotations,
  default: applyAnnotations,
  examples: applyAnnotations,
  deprecated: applyAnnotations,
  readOnly: applyAnnotations,
  writeOnly: applyAnnotations,
  $comment: applyAnnotations,
  type: keepType,
  const: lowerValues,
  enum: lowerValues,
  format: lowerAssertions,
  pattern: lowerAssertions,
  minLength: lowerAssertions,
  maxLength: lowerAssertions,
  minimum: lowerAssertions,
  maximum: lowerAssertions,
  exclusiveMinimum: lowerAssertions,
  exclusiveMaximum: lowerAssertions,
  multipleOf: lowerAssertions,
  properties: lowerObject,
  patternProperties: lowerObject,
  propertyNames: lowerObject,
  required: lowerObject,
  minProperties: lowerObject,
  maxProperties: lowerObject,
  additionalProperties: lowerObject,
  prefixItems: lowerArray,
  items: lowerArray,
  contains: lowerArray,
  minContains: lowerArray,
  maxContains: lowerArray,
  minItems: lowerArray,
  maxItems: lowerArray,
  uniqueItems: lowerArray,
  // `lowerObject` and `lowerArray` read the following two as well: they say more than a node's own keywords do.
  unevaluatedProperties: lowerInPlace,
  unevaluatedItems: lowerInPlace,
  dependentRequired: lowerInPlace,
  dependentSchemas: lowerInPlace,
  anyOf: lowerInPlace,
  oneOf: lowerInPlace,
  allOf: lowerInPlace,
  not: lowerInPlace,
  if: lowerInPlace,
  then: lowerInPlace,
  else: lowerInPlace,
};

/** The order in which handlers run, each once per node. */
const ORDER: readonly Handler[] = [
  applyAnnotations,
  keepType,
  lowerValues,
  lowerAssertions,
  lowerObject,
  lowerArray,
  dropAll,
  lowerInPlace,
];

const TURNS: ReadonlyMap<string, number> = new Map(
  Object.entries(HANDLERS).map(([keyword, handler]) => [keyword, ORDER.indexOf(handler)]),
);

const TURN_OF_OBJECTS = ORDER.indexOf(lowerObject);
const TURN_OF_ARRAYS = ORDER.indexOf(lowerArray);

/** The keywords that constrain values of a type, but not those that constrain values of every type. */
const keywordsAbout = (type: "object" | "array"): ReadonlySet<string> =>
  new Set(keywordOrder.filter((keyword) => concerns(keyword, type) && !concerns(keyword, "string")));

const ABOUT_OBJECTS: ReadonlySet<string> = keywordsAbout("object");
const ABOUT_ARRAYS: ReadonlySet<string> = keywordsAbout("array");

/** Lowers a node by the handlers of its own keywords. `undefined`: no value is valid. */
export function lowerKeywords(context: LoweringContext, flat: SchemaObject, isRoot: boolean): LoweredNode | undefined {
  const node = toNormalForm(context, flat);
  const builder = createNodeBuilder(node, isRoot);
  const types = declaredTypes(node);
  let isAboutObjects = types?.includes("object") === true;
  let isAboutArrays = types?.includes("array") === true;
  const handled: (Keyword[] | undefined)[] = [];
  for (const keyword in node) {
    const turn = TURNS.get(keyword);
    // Other members are reported, or refused, for the whole schema.
    if (turn === undefined || !Object.hasOwn(node, keyword)) continue;
    isAboutObjects ||= ABOUT_OBJECTS.has(keyword);
    isAboutArrays ||= ABOUT_ARRAYS.has(keyword);
    if (node[keyword as Keyword] !== undefined) (handled[turn] ??= []).push(keyword as Keyword);
  }
  if (isAboutObjects) handled[TURN_OF_OBJECTS] ??= [];
  if (isAboutArrays) handled[TURN_OF_ARRAYS] ??= [];
  for (let turn = 0; turn < handled.length; turn += 1) {
    const own = handled[turn];
    const result = own && ORDER[turn]?.(context, builder, own);
    if (result !== undefined) return result === "impossible" ? undefined : result;
  }
  const { codecs } = builder;
  return { schema: finish(context, builder), codec: codecs.length > 1 ? codecByType(codecs) : codecs[0] };
}

function keepType(_context: LoweringContext, { kept, source }: NodeBuilder): undefined {
  kept.set("type", source.type);
}

/** Drops a reference whose target has already replaced it. */
function dropAll(context: LoweringContext, builder: NodeBuilder, own: readonly Keyword[]): undefined {
  for (const keyword of own) dropKeyword(context, builder, keyword);
}

/** Lowers the keywords that apply other schemas to the same value, and those that depend on their result. */
function lowerInPlace(context: LoweringContext, builder: NodeBuilder): ReturnType<Handler> {
  const lossesBefore = context.losses.length;
  lowerConditions(context, builder);
  const unions = lowerUnions(context, builder, builder.codecs.length > 0);
  if (unions === undefined) return "impossible";
  if (unions.codec !== undefined) builder.codecs.splice(0, builder.codecs.length, unions.codec);
  lowerUnevaluated(context, builder, context.losses.length === lossesBefore);
  return undefined;
}

/** Combines the codecs of a node that accepts objects and arrays. The type of the value selects one. */
function codecByType(codecs: readonly Codec[]): Codec {
  return {
    kind: "union",
    branches: codecs.map((value) => {
      const isArray = value.kind === "array" || value.kind === "tuple";
      const accepts = { type: isArray ? "array" : "object" } as const;
      const wire = { type: value.kind === "array" || value.kind === "pairs" ? "array" : "object" } as const;
      return { accepts, wire, value };
    }),
  };
}
