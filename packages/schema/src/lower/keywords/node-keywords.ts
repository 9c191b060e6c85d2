import type { Codec } from "../../codec/codec.js";
import type { Keyword } from "../../dialects/definition/keyword-table.js";
import type { SchemaObject } from "../../vocabulary/json-schema.js";
import { assertedFormats } from "../../validate/formats.js";
import { lowerArray } from "./arrays.js";
import {
  applyAnnotations,
  applyTable,
  createNodeBuilder,
  finish,
  dropKeyword,
  type NodeBuilder,
} from "../context/node-builder.js";
import { lowerConditions, lowerUnevaluated } from "./conditions.js";
import { lowerUnions } from "./unions.js";
import { lowerObject } from "./objects.js";
import { actionFor, type Lowered, type LoweringContext } from "../context/context.js";
import { isPatternCarried } from "./patterns.js";
import { lowerValues } from "./values.js";
import { declaredTypes } from "../context/schema-facts.js";

/**
 * Lowers a node keyword by keyword, in its own form. In dialects whose nodes are typed it is given nodes of one type
 * and without unions.
 */
export function lowerKeywords(context: LoweringContext, node: SchemaObject, isRoot: boolean): Lowered | undefined {
  const builder = createNodeBuilder(node, isRoot);
  applyAnnotations(context, builder);
  if (node.type !== undefined) builder.kept.set("type", node.type);
  const values = lowerValues(context, builder);
  if (values === undefined) return undefined;
  if (values.codec !== undefined) return { schema: finish(context, builder), codec: values.codec };
  lowerText(context, builder);
  lowerNumbers(context, builder);
  const codecs: (Codec | undefined)[] = [];
  if (saysAnything(node, objectKeywords, "object")) {
    const shape = lowerObject(context, builder);
    if (shape === undefined) return undefined;
    if (shape.replacement !== undefined) return shape.replacement;
    codecs.push(shape.codec);
  }
  if (saysAnything(node, arrayKeywords, "array")) {
    const shape = lowerArray(context, builder);
    if (shape.replacement !== undefined) return shape.replacement;
    codecs.push(shape.codec);
  }
  const lossesBefore = context.losses.length;
  lowerConditions(context, builder);
  const own = codecs.filter((codec) => codec !== undefined);
  const unions = lowerUnions(context, builder, own.length > 0);
  if (unions === undefined) return undefined;
  lowerUnevaluated(context, builder, context.losses.length === lossesBefore);
  const codec = unions.codec ?? (own.length > 1 ? byType(own) : own[0]);
  return { schema: finish(context, builder), codec };
}

const objectKeywords: readonly Keyword[] = [
  "properties",
  "patternProperties",
  "propertyNames",
  "required",
  "minProperties",
  "maxProperties",
  "dependentRequired",
  "additionalProperties",
  "unevaluatedProperties",
];

const arrayKeywords: readonly Keyword[] = [
  "prefixItems",
  "items",
  "contains",
  "minContains",
  "maxContains",
  "minItems",
  "maxItems",
  "uniqueItems",
  "unevaluatedItems",
];

function saysAnything(node: SchemaObject, keywords: readonly Keyword[], type: "object" | "array"): boolean {
  return declaredTypes(node)?.includes(type) === true || keywords.some((keyword) => node[keyword] !== undefined);
}

/** A node that may be an object or an array, each with a change of its own: the type of the value tells which. */
function byType(codecs: readonly Codec[]): Codec {
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

function lowerText(context: LoweringContext, builder: NodeBuilder): void {
  const { source } = builder;
  const { formats, patterns } = context.dialect;
  for (const keyword of ["minLength", "maxLength"] as const) {
    if (source[keyword] !== undefined) applyTable(context, builder, keyword, source[keyword]);
  }
  if (source.pattern !== undefined) {
    if (isPatternCarried(source.pattern, patterns)) applyTable(context, builder, "pattern", source.pattern);
    else dropKeyword(context, builder, "pattern");
  }
  if (source.format !== undefined) {
    if (formats === "any" || formats.includes(source.format)) applyTable(context, builder, "format", source.format);
    else if (assertedFormats.has(source.format)) dropKeyword(context, builder, "format");
    else builder.words.push(`Format: ${source.format}.`); // a note: no value is refused for it
  }
}

function lowerNumbers(context: LoweringContext, builder: NodeBuilder): void {
  const { source } = builder;
  for (const keyword of ["minimum", "maximum", "multipleOf"] as const) {
    if (source[keyword] !== undefined) applyTable(context, builder, keyword, source[keyword]);
  }
  lowerExclusive(context, builder, "exclusiveMinimum", "minimum", 1);
  lowerExclusive(context, builder, "exclusiveMaximum", "maximum", -1);
}

/**
 * Where only inclusive bounds exist: for integers, the next integer inside says the same; for numbers, the bound itself
 * is one value too wide.
 */
function lowerExclusive(
  context: LoweringContext,
  builder: NodeBuilder,
  keyword: "exclusiveMinimum" | "exclusiveMaximum",
  inclusive: "minimum" | "maximum",
  inward: 1 | -1,
): void {
  const { source } = builder;
  const bound = source[keyword];
  if (bound === undefined) return;
  if (actionFor(context, keyword, builder.isRoot) !== "rewrite") {
    applyTable(context, builder, keyword, bound);
    return;
  }
  const types = declaredTypes(source) ?? [];
  const isInteger = types.includes("integer") && !types.includes("number");
  const inside = inward === 1 ? Math.floor(bound) + 1 : Math.ceil(bound) - 1;
  const candidate = isInteger && Number.isSafeInteger(inside) ? inside : bound;
  const present = source[inclusive];
  const tighter =
    present === undefined ? candidate : inward === 1 ? Math.max(present, candidate) : Math.min(present, candidate);
  builder.kept.set(inclusive, tighter);
  const isExact = candidate !== bound || (present !== undefined && (inward === 1 ? present > bound : present < bound));
  if (!isExact) dropKeyword(context, builder, keyword);
}
