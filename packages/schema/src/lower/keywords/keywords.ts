import type { Codec } from "../../codec/codec.js";
import type { Keyword } from "../../dialects/definition/keyword-table.js";
import type { SchemaObject } from "../../vocabulary/json-schema.js";
import { assertedFormats } from "../../validate/formats.js";
import { lowerArray } from "./arrays.js";
import { applyAnnotations, applyTable, createDraft, finish, loseKeyword, type Draft } from "./draft.js";
import { lowerConditions, lowerUnevaluated, lowerUnions } from "../unions/in-place.js";
import { lowerObject } from "./objects.js";
import { actionFor, type Lowered, type Lowering } from "../lowering.js";
import { isPatternCarried } from "./patterns.js";
import { lowerValues } from "./values.js";
import { declaredTypes } from "./vocabulary.js";

/**
 * Lowers a node keyword by keyword, in its own form. In dialects whose nodes are typed it is given nodes of one type
 * and without unions.
 */
export function lowerKeywords(lowering: Lowering, node: SchemaObject, isRoot: boolean): Lowered | undefined {
  const draft = createDraft(node, isRoot);
  applyAnnotations(lowering, draft);
  if (node.type !== undefined) draft.kept.set("type", node.type);
  const values = lowerValues(lowering, draft);
  if (values === undefined) return undefined;
  if (values.codec !== undefined) return { schema: finish(lowering, draft), codec: values.codec };
  lowerText(lowering, draft);
  lowerNumbers(lowering, draft);
  const codecs: (Codec | undefined)[] = [];
  if (saysAnything(node, objectKeywords, "object")) {
    const shape = lowerObject(lowering, draft);
    if (shape === undefined) return undefined;
    if (shape.replacement !== undefined) return shape.replacement;
    codecs.push(shape.codec);
  }
  if (saysAnything(node, arrayKeywords, "array")) {
    const shape = lowerArray(lowering, draft);
    if (shape.replacement !== undefined) return shape.replacement;
    codecs.push(shape.codec);
  }
  const lossesBefore = lowering.losses.length;
  lowerConditions(lowering, draft);
  const own = codecs.filter((codec) => codec !== undefined);
  const unions = lowerUnions(lowering, draft, own.length > 0);
  if (unions === undefined) return undefined;
  lowerUnevaluated(lowering, draft, lowering.losses.length === lossesBefore);
  const codec = unions.codec ?? (own.length > 1 ? byType(own) : own[0]);
  return { schema: finish(lowering, draft), codec };
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

function lowerText(lowering: Lowering, draft: Draft): void {
  const { source } = draft;
  const { formats, patterns } = lowering.dialect;
  for (const keyword of ["minLength", "maxLength"] as const) {
    if (source[keyword] !== undefined) applyTable(lowering, draft, keyword, source[keyword]);
  }
  if (source.pattern !== undefined) {
    if (isPatternCarried(source.pattern, patterns)) applyTable(lowering, draft, "pattern", source.pattern);
    else loseKeyword(lowering, draft, "pattern");
  }
  if (source.format !== undefined) {
    if (formats === "any" || formats.includes(source.format)) applyTable(lowering, draft, "format", source.format);
    else if (assertedFormats.has(source.format)) loseKeyword(lowering, draft, "format");
    else draft.words.push(`Format: ${source.format}.`); // a note: no value is refused for it
  }
}

function lowerNumbers(lowering: Lowering, draft: Draft): void {
  const { source } = draft;
  for (const keyword of ["minimum", "maximum", "multipleOf"] as const) {
    if (source[keyword] !== undefined) applyTable(lowering, draft, keyword, source[keyword]);
  }
  lowerExclusive(lowering, draft, "exclusiveMinimum", "minimum", 1);
  lowerExclusive(lowering, draft, "exclusiveMaximum", "maximum", -1);
}

/**
 * Where only inclusive bounds exist: for integers, the next integer inside says the same; for numbers, the bound itself
 * is one value too wide.
 */
function lowerExclusive(
  lowering: Lowering,
  draft: Draft,
  keyword: "exclusiveMinimum" | "exclusiveMaximum",
  inclusive: "minimum" | "maximum",
  inward: 1 | -1,
): void {
  const { source } = draft;
  const bound = source[keyword];
  if (bound === undefined) return;
  if (actionFor(lowering, keyword, draft.isRoot) !== "rewrite") {
    applyTable(lowering, draft, keyword, bound);
    return;
  }
  const types = declaredTypes(source) ?? [];
  const isInteger = types.includes("integer") && !types.includes("number");
  const inside = inward === 1 ? Math.floor(bound) + 1 : Math.ceil(bound) - 1;
  const candidate = isInteger && Number.isSafeInteger(inside) ? inside : bound;
  const present = source[inclusive];
  const tighter =
    present === undefined ? candidate : inward === 1 ? Math.max(present, candidate) : Math.min(present, candidate);
  draft.kept.set(inclusive, tighter);
  const isExact = candidate !== bound || (present !== undefined && (inward === 1 ? present > bound : present < bound));
  if (!isExact) loseKeyword(lowering, draft, keyword);
}
