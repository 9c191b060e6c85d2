import { type JsonSchema, type SchemaObject, comparePatterns } from "@hasp/schema";
import { isAnnotation, keywordRow } from "@hasp/schema/vocabulary";
import type { ConjunctList } from "./alternatives.js";

const TOGETHER: readonly (readonly string[])[] = [
  ["if", "then", "else"],
  ["contains", "minContains", "maxContains"],
  ["prefixItems", "items", "additionalItems", "unevaluatedItems"],
];

export function isTrivial(schema: JsonSchema): boolean {
  return schema === true || (typeof schema === "object" && Object.keys(schema).every(isIgnored));
}

const ALL_TYPES = ["array", "boolean", "integer", "null", "number", "object", "string"];

export function listTypes(inner: ConjunctList): ReadonlySet<string> {
  let types = new Set(ALL_TYPES);
  for (const { schema } of inner) {
    if (schema.type === undefined) continue;
    const stated = listNamedTypes(schema.type);
    types = new Set([...types].filter((type) => stated.has(type)));
  }
  return types;
}

/** True for annotations and for keywords that are compared with another. */
export function isIgnored(keyword: string): boolean {
  return (
    isAnnotation(keyword) ||
    keywordRow(keyword)?.role === "identifier" ||
    keyword === "minContains" ||
    keyword === "maxContains"
  );
}

export function constrains(keyword: string, types: ReadonlySet<string>): boolean {
  // On numbers a format only describes.
  if (keyword === "format") return types.has("string");
  const governed = keywordRow(keyword)?.types;
  return governed === undefined || [...listNamedTypes(governed)].some((type) => types.has(type));
}

export function listCompanions(keyword: string): readonly string[] {
  return TOGETHER.find((each) => each.includes(keyword)) ?? [keyword];
}

/** Expands `number`, which also allows integers. */
export function listNamedTypes(type: SchemaObject["type"]): ReadonlySet<string> {
  return new Set([type ?? []].flat().flatMap((each) => (each === "number" ? ["number", "integer"] : [String(each)])));
}

const UPPER = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"] as const;
const LOWER = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"] as const;
type Bound = (typeof UPPER)[number] | (typeof LOWER)[number];

/** Finds the tightest bound among the inner parts. */
export function bound(inner: ConjunctList, keyword: Bound): number | undefined {
  const bounds = inner.flatMap(({ schema }) => schema[keyword] ?? []);
  if (bounds.length === 0) return undefined;
  return (UPPER as readonly string[]).includes(keyword) ? Math.min(...bounds) : Math.max(...bounds);
}

export function isImplied(keyword: string, inner: ConjunctList, outer: SchemaObject): boolean {
  const limit = outer[keyword];
  if (keyword === "pattern" && typeof limit === "string") {
    return inner.some(
      ({ schema: { pattern } }) => pattern !== undefined && comparePatterns(pattern, limit) === "included",
    );
  }
  if (typeof limit !== "number") return false;
  switch (keyword) {
    case "maximum":
      return (bound(inner, "maximum") ?? Infinity) <= limit || (bound(inner, "exclusiveMaximum") ?? Infinity) <= limit;
    case "exclusiveMaximum":
      return (bound(inner, "maximum") ?? Infinity) < limit || (bound(inner, "exclusiveMaximum") ?? Infinity) <= limit;
    case "minimum":
      return (
        (bound(inner, "minimum") ?? -Infinity) >= limit || (bound(inner, "exclusiveMinimum") ?? -Infinity) >= limit
      );
    case "exclusiveMinimum":
      return (bound(inner, "minimum") ?? -Infinity) > limit || (bound(inner, "exclusiveMinimum") ?? -Infinity) >= limit;
    case "multipleOf":
      return inner.some(
        ({ schema: { multipleOf } }) => isWhole(multipleOf) && isWhole(limit) && multipleOf % limit === 0,
      );
    case "maxLength":
    case "maxItems":
    case "maxProperties":
      return (bound(inner, keyword) ?? Infinity) <= limit;
    case "minLength":
    case "minItems":
    case "minProperties":
      return (bound(inner, keyword) ?? 0) >= limit;
    default:
      return false;
  }
}

/** True for integers: binary fractions do not divide exactly. */
function isWhole(value: number | undefined): value is number {
  return Number.isInteger(value);
}
