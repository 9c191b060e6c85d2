import { keywordOrder, type Keyword } from "../dialects/keyword-table.js";
import type { JsonValue } from "../json.js";
import type { SchemaObject, TypeName } from "../json-schema.js";

/** Keywords that say something to a reader and nothing about which values are valid. */
export const annotationKeywords: ReadonlySet<string> = new Set<Keyword>([
  "title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly", "$comment", "contentEncoding",
  "contentMediaType", "contentSchema", "nullable", "$defs",
]);

const known: ReadonlySet<string> = new Set<string>(keywordOrder);

/** Whether a keyword is a word of JSON Schema as `flatten` leaves it. */
export function isKeyword(word: string): word is Keyword {
  return known.has(word);
}

/** Keywords that apply schemas to the same value, apart from the unions. */
export const inPlaceKeywords: readonly ["allOf", "not", "if", "then", "else", "dependentSchemas"] = [
  "allOf", "not", "if", "then", "else", "dependentSchemas",
];

/** The types of values on which a keyword says anything; keywords that are absent here concern every type. */
const concernedType: { readonly [keyword in Keyword]?: readonly TypeName[] } = {
  format: ["string", "number", "integer"],
  pattern: ["string"],
  minLength: ["string"],
  maxLength: ["string"],
  contentEncoding: ["string"],
  contentMediaType: ["string"],
  contentSchema: ["string"],
  minimum: ["number", "integer"],
  maximum: ["number", "integer"],
  exclusiveMinimum: ["number", "integer"],
  exclusiveMaximum: ["number", "integer"],
  multipleOf: ["number", "integer"],
  properties: ["object"],
  patternProperties: ["object"],
  propertyNames: ["object"],
  required: ["object"],
  minProperties: ["object"],
  maxProperties: ["object"],
  dependentRequired: ["object"],
  dependentSchemas: ["object"],
  additionalProperties: ["object"],
  unevaluatedProperties: ["object"],
  prefixItems: ["array"],
  items: ["array"],
  contains: ["array"],
  minContains: ["array"],
  maxContains: ["array"],
  minItems: ["array"],
  maxItems: ["array"],
  uniqueItems: ["array"],
  unevaluatedItems: ["array"],
};

/** Whether a keyword can say anything about values of a type. */
export function concerns(keyword: string, type: TypeName): boolean {
  const types = isKeyword(keyword) ? concernedType[keyword] : undefined;
  return types === undefined || types.includes(type);
}

/** The JSON Schema type of a value; whole numbers are `integer`. */
export function typeOfValue(value: JsonValue): TypeName {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  switch (typeof value) {
    case "string":
      return "string";
    case "boolean":
      return "boolean";
    case "number":
      return Number.isInteger(value) ? "integer" : "number";
    default:
      return "object";
  }
}

/** The types that `type` lists, or `undefined` where it is absent. */
export function declaredTypes(schema: SchemaObject): readonly TypeName[] | undefined {
  if (schema.type === undefined) return undefined;
  return typeof schema.type === "string" ? [schema.type] : schema.type;
}

/** The values that `const` or `enum` lists, or `undefined` where both are absent. */
export function listedValues(schema: SchemaObject): readonly JsonValue[] | undefined {
  if (schema.const !== undefined) return [schema.const];
  return schema.enum;
}

/** Whether a schema object says nothing about which values are valid. */
export function isUnconstrained(schema: SchemaObject): boolean {
  return Object.keys(schema).every((keyword) => annotationKeywords.has(keyword) || !isKeyword(keyword));
}

/** The keywords of a schema for which `keep` holds, in the same order. */
export function pick(schema: SchemaObject, keep: (keyword: string) => boolean): SchemaObject {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => keep(keyword)));
}
