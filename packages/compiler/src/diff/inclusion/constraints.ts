import type { JsonSchema, SchemaObject } from "@hasp/schema";
import { isAnnotation, keywordRow } from "@hasp/schema/vocabulary";
import type { Alternative } from "./alternatives.js";

const TOGETHER: readonly (readonly string[])[] = [
  ["if", "then", "else"],
  ["contains", "minContains", "maxContains"],
  ["prefixItems", "items", "additionalItems", "unevaluatedItems"],
];

export function isTrivial(schema: JsonSchema): boolean {
  return schema === true || (typeof schema === "object" && Object.keys(schema).every(isIgnored));
}

const ALL_TYPES = ["array", "boolean", "integer", "null", "number", "object", "string"];

export function typesOf(inner: Alternative): ReadonlySet<string> {
  let types = new Set(ALL_TYPES);
  for (const { schema } of inner) {
    if (schema.type === undefined) continue;
    const stated = namedTypes(schema.type);
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
  return governed === undefined || [...namedTypes(governed)].some((type) => types.has(type));
}

export function togetherWith(keyword: string): readonly string[] {
  return TOGETHER.find((each) => each.includes(keyword)) ?? [keyword];
}

/** Expands `number`, which also allows integers. */
export function namedTypes(type: SchemaObject["type"]): ReadonlySet<string> {
  return new Set([type ?? []].flat().flatMap((each) => (each === "number" ? ["number", "integer"] : [String(each)])));
}
