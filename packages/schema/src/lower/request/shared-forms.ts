import type { Dialect } from "../../dialects/definition/dialect.js";
import type { Keyword } from "../../dialects/definition/keyword-table.js";
import { mapSubschemas } from "../../vocabulary/subschemas.js";
import type { JsonSchema, SchemaObject } from "../../vocabulary/json-schema.js";
import { ordered } from "../keywords/draft.js";
import type { SharedForms } from "../types.js";
import { isScalar } from "../keywords/values.js";

/**
 * The keywords that pass each by itself wherever the dialect's table keeps them, in the order in which they are
 * printed. Each has a bit of one number, which has room for 31.
 */
const plainKeywords = [
  "title", "description", "type", "const", "enum", "format", "pattern", "minLength", "maxLength", "contentEncoding", "contentMediaType",
  "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "properties", "required", "minProperties",
  "maxProperties", "additionalProperties", "items", "minItems", "maxItems", "uniqueItems", "default", "examples", "deprecated",
  "readOnly", "writeOnly", "$comment",
] as const satisfies readonly Keyword[]; // prettier-ignore

/** A set of plain keywords: a bit for each. */
type KeywordSet = number;

const bits: ReadonlyMap<string, KeywordSet> = new Map(plainKeywords.map((keyword, index) => [keyword, 1 << index]));

/** The plain keywords that a dialect passes on as they stand; none where it says common things in ways of its own. */
function keywordsAsTheyStand({
  keywords,
  shapes,
  formats,
  patterns,
  propertyName,
  largestMinItems,
}: Dialect): KeywordSet {
  const isFree =
    shapes.nodes === "free" &&
    shapes.maps === "kept" &&
    shapes.optional === "omitted" &&
    shapes.anything === "kept" &&
    shapes.enums !== "strings";
  if (
    !isFree ||
    formats !== "any" ||
    patterns !== "any" ||
    propertyName?.scope === "everywhere" ||
    largestMinItems !== undefined
  ) {
    return 0;
  }
  return plainKeywords.reduce((set, keyword, index) => (keywords[keyword] === "keep" ? set | (1 << index) : set), 0);
}

/** What a subschema is sent as by every dialect that passes on its keywords. */
interface PlainForm {
  /** The flat node itself where it is in order; else one object for all dialects. */
  readonly schema: SchemaObject;
  /** The keywords in it, at any depth. */
  readonly keywords: KeywordSet;
  readonly nodes: number;
}

/** Nodes nested deeper are never shared; `lower` refuses schemas that go deeper still. */
const DEEPEST = 256;

/**
 * Finds the parts of one flat schema that most dialects send alike, and keeps what they are sent as. Handed to each
 * `lower` of that schema, it saves most of the work, and the lowered schemas share these parts as objects. The schema
 * must not change.
 */
export function createSharedForms(): SharedForms {
  const forms = new Map<SchemaObject, PlainForm | undefined>();
  const sources = new Map<object, SchemaObject>();

  const formOf = (node: SchemaObject, depth: number): PlainForm | undefined => {
    if (depth > DEEPEST || forms.has(node)) return forms.get(node);
    const form = madeOf(node, depth);
    forms.set(node, form);
    if (form !== undefined) sources.set(form.schema, node);
    return form;
  };

  const madeOf = (node: SchemaObject, depth: number): PlainForm | undefined => {
    const kept = new Map<string, unknown>();
    let [keywords, nodes, last, isPlain, isChanged] = [0, 1, 0, true, false];
    for (const [keyword, value] of Object.entries(node)) {
      const bit = bits.get(keyword);
      if (bit === undefined || value === undefined || isEmptyList(value) || !passes(keyword as Keyword, node)) {
        return undefined;
      }
      isChanged ||= bit < last;
      last = bit;
      keywords |= bit;
      const withForm = (inner: JsonSchema): JsonSchema => {
        const form = typeof inner === "object" ? formOf(inner, depth + 1) : undefined;
        isPlain &&= form !== undefined || (keyword === "additionalProperties" && typeof inner === "boolean");
        if (form === undefined) return inner;
        keywords |= form.keywords;
        nodes += form.nodes;
        isChanged ||= form.schema !== inner;
        return form.schema;
      };
      kept.set(keyword, mapSubschemas(keyword, value, withForm));
      if (!isPlain) return undefined;
    }
    return { schema: isChanged ? ordered(kept) : node, keywords, nodes };
  };

  const setOf = new Map<Dialect, KeywordSet>();
  return {
    of(node, dialect) {
      const passed = setOf.get(dialect) ?? keywordsAsTheyStand(dialect);
      setOf.set(dialect, passed);
      const form = passed === 0 ? undefined : formOf(node, 0);
      return form === undefined || (form.keywords & ~passed) !== 0 ? undefined : form;
    },
    sourceOf: (form) => sources.get(form),
  };
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** Whether a keyword's value is one that no dialect says in another way. */
function passes(keyword: Keyword, node: SchemaObject): boolean {
  const { type, properties = {}, required = [], items, uniqueItems, description, additionalProperties } = node;
  switch (keyword) {
    case "description":
      return description !== "";
    case "type":
      // Some dialects demand `items`.
      return items !== undefined || !(type === "array" || (Array.isArray(type) && type.includes("array")));
    case "const":
      return isScalar(node.const ?? null);
    case "enum":
      return node.const === undefined && node.enum?.every(isScalar) === true;
    case "properties":
      return Object.keys(properties).length > 0;
    case "required":
      return new Set(required).size === required.length && required.every((name) => Object.hasOwn(properties, name));
    case "uniqueItems":
      return uniqueItems === true;
    case "additionalProperties":
      return typeof additionalProperties === "boolean" || Object.keys(additionalProperties ?? {}).length > 0;
    default:
      return true;
  }
}
