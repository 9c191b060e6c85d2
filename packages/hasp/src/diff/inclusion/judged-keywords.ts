import type { JsonSchema, SchemaObject } from "@hasp/schema";
import type { Alternative } from "./alternatives.js";

/** Keywords that judge nothing, or that are judged with another. */
// prettier-ignore
const IGNORED: ReadonlySet<string> = new Set([
  "$comment", "$defs", "$id", "$schema", "contentEncoding", "contentMediaType", "contentSchema", "default", "definitions",
  "deprecated", "description", "examples", "maxContains", "minContains", "readOnly", "title", "writeOnly",
]);

const OBJECT = ["object"];
const ARRAY = ["array"];
const STRING = ["string"];
const NUMBER = ["number", "integer"];

/** The types of value that a keyword judges; all others pass it. */
// prettier-ignore
const TYPE_OF_KEYWORD: { readonly [keyword: string]: readonly string[] | undefined } = {
  additionalProperties: OBJECT, contains: ARRAY, dependentRequired: OBJECT, dependentSchemas: OBJECT, exclusiveMaximum: NUMBER,
  exclusiveMinimum: NUMBER, format: STRING, items: ARRAY, maxItems: ARRAY, maxLength: STRING, maxProperties: OBJECT, maximum: NUMBER,
  minItems: ARRAY, minLength: STRING, minProperties: OBJECT, minimum: NUMBER, multipleOf: NUMBER, pattern: STRING,
  patternProperties: OBJECT, prefixItems: ARRAY, properties: OBJECT, propertyNames: OBJECT, required: OBJECT,
  unevaluatedItems: ARRAY, unevaluatedProperties: OBJECT, uniqueItems: ARRAY,
};

/** Keywords that mean something only beside each other. */
const TOGETHER: readonly (readonly string[])[] = [
  ["if", "then", "else"],
  ["contains", "minContains", "maxContains"],
  ["prefixItems", "items", "additionalItems", "unevaluatedItems"],
];

/** Whether a schema lets everything through. */
export function isTrivial(schema: JsonSchema): boolean {
  return schema === true || (typeof schema === "object" && Object.keys(schema).every(isIgnored));
}

const ALL_TYPES = ["array", "boolean", "integer", "null", "number", "object", "string"];

/** The types of value that all of the parts let through. */
export function typesOf(inner: Alternative): ReadonlySet<string> {
  let types = new Set(ALL_TYPES);
  for (const { schema } of inner) {
    if (schema.type === undefined) continue;
    const stated = namedTypes(schema.type);
    types = new Set([...types].filter((type) => stated.has(type)));
  }
  return types;
}

/** Whether a keyword judges no value, or is judged with another. */
export function isIgnored(keyword: string): boolean {
  return IGNORED.has(keyword) || keyword.startsWith("x-");
}

/** Whether a keyword can refuse a value of one of these types. */
export function judges(keyword: string, types: ReadonlySet<string>): boolean {
  const governed = TYPE_OF_KEYWORD[keyword];
  return governed === undefined || governed.some((type) => types.has(type));
}

/** The keywords that have to be compared together with this one. */
export function togetherWith(keyword: string): readonly string[] {
  return TOGETHER.find((each) => each.includes(keyword)) ?? [keyword];
}

/** What `type` allows, each by its name: a number may be an integer. */
export function namedTypes(type: SchemaObject["type"]): ReadonlySet<string> {
  return new Set([type ?? []].flat().flatMap((each) => (each === "number" ? ["number", "integer"] : [String(each)])));
}
