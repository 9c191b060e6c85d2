import type { JsonSchema } from "@hasp/schema";
import { setOwn } from "../json/copy-json.js";
import { escapeToken } from "../json/pointer.js";

/** Keywords whose value is one schema (or, for `items`, also a list). */
const SCHEMA = new Set([
  "additionalProperties",
  "additionalItems",
  "contains",
  "contentSchema",
  "else",
  "if",
  "items",
  "not",
  "propertyNames",
  "then",
  "unevaluatedItems",
  "unevaluatedProperties",
]);
/** Keywords whose value is a list of schemas. */
const SCHEMAS = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
/** Keywords whose value is a map from names to schemas. */
const SCHEMA_MAP = new Set(["$defs", "definitions", "dependentSchemas", "patternProperties", "properties"]);
/** Keywords whose value is data. */
const DATA = new Set([
  "$anchor",
  "$ref",
  "const",
  "contentEncoding",
  "contentMediaType",
  "default",
  "dependencies",
  "dependentRequired",
  "deprecated",
  "description",
  "enum",
  "examples",
  "exclusiveMaximum",
  "exclusiveMinimum",
  "format",
  "maxContains",
  "maxItems",
  "maxLength",
  "maxProperties",
  "maximum",
  "minContains",
  "minItems",
  "minLength",
  "minProperties",
  "minimum",
  "multipleOf",
  "pattern",
  "readOnly",
  "required",
  "title",
  "type",
  "uniqueItems",
  "writeOnly",
]);

/** A schema without the keywords that JSON Schema does not define. */
export function knownKeywordsOnly(schema: unknown): JsonSchema {
  if (Array.isArray(schema)) return schema.map(knownKeywordsOnly) as unknown as JsonSchema;
  if (typeof schema !== "object" || schema === null) return schema as JsonSchema;
  const result: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (SCHEMA.has(keyword) || SCHEMAS.has(keyword)) result[keyword] = knownKeywordsOnly(value);
    else if (SCHEMA_MAP.has(keyword)) result[keyword] = mapValues(value);
    else if (DATA.has(keyword)) result[keyword] = value;
  }
  return result;
}

/**
 * The schemas right inside a schema, each with its pointer from there. Keywords that JSON Schema does not define have
 * none.
 */
export function subschemasOf(schema: object): readonly (readonly [pointer: string, schema: unknown])[] {
  return Object.entries(schema).flatMap(([keyword, value]: [string, unknown]) => {
    const isContainer =
      SCHEMAS.has(keyword) || SCHEMA_MAP.has(keyword) || (SCHEMA.has(keyword) && Array.isArray(value));
    if (!isContainer) return SCHEMA.has(keyword) ? [[`/${keyword}`, value] as const] : [];
    return Object.entries(Object(value)).map(([key, inner]) => [`/${keyword}/${escapeToken(key)}`, inner] as const);
  });
}

function mapValues(map: unknown): unknown {
  if (typeof map !== "object" || map === null || Array.isArray(map)) return map;
  const result: Record<string, JsonSchema> = {};
  for (const [name, schema] of Object.entries(map)) setOwn(result, name, knownKeywordsOnly(schema));
  return result;
}
