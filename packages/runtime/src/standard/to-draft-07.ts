import type { JsonObject, JsonValue } from "@hasp/schema";
import { setOwn } from "../json/copy-json.js";

/** Keywords of draft 2020-12 that draft 07 cannot express. */
const NEW_WORDS = [
  "$dynamicRef",
  "$dynamicAnchor",
  "$anchor",
  "unevaluatedProperties",
  "unevaluatedItems",
  "minContains",
  "maxContains",
];
/** Keywords whose value is data. */
const DATA = ["const", "default", "enum", "examples", "required"];
/** Keywords whose value maps names to schemas. */
const MAPS = ["$defs", "definitions", "properties", "patternProperties", "dependentSchemas"];

/**
 * Converts a schema of draft 2020-12 to draft 07, for the same values. Throws a `TypeError` where that is impossible: a
 * constraint must not be lost silently.
 */
export function toDraft07(schema: JsonObject): Record<string, unknown> {
  return convert(schema, "");
}

function convert(node: JsonValue, pointer: string): Record<string, JsonValue> {
  const schema = node as JsonObject;
  const result: Record<string, JsonValue> = {};
  const dependencies: Record<string, JsonValue> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    const at = `${pointer}/${keyword}`;
    if (NEW_WORDS.includes(keyword)) {
      throw new TypeError(
        `This schema has no equal in draft 07: "${keyword}" at ${at} cannot be said there. Ask for "draft-2020-12".`,
      );
    }
    if (keyword === "dependentRequired") copyInto(dependencies, value as JsonObject);
    else if (keyword === "dependentSchemas") copyInto(dependencies, convertMap(value, at));
    else if (keyword === "$defs") setOwn(result, "definitions", convertMap(value, at));
    else if (keyword === "prefixItems") setOwn(result, "items", convertAny(value, at));
    else if (keyword === "items" && Object.hasOwn(schema, "prefixItems")) {
      setOwn(result, "additionalItems", convertAny(value, at));
    } else if (keyword === "$ref") setOwn(result, "$ref", String(value).replace(/^#\/\$defs\//u, "#/definitions/"));
    else if (keyword === "$schema") continue;
    else if (DATA.includes(keyword)) setOwn(result, keyword, value);
    else setOwn(result, keyword, MAPS.includes(keyword) ? convertMap(value, at) : convertAny(value, at));
  }
  if (Object.keys(dependencies).length > 0) setOwn(result, "dependencies", dependencies);
  return aloneWithReference(result);
}

/** Draft 07 ignores the siblings of `$ref`, except definitions, which are only looked up. */
function aloneWithReference({ $ref, definitions, ...siblings }: Record<string, JsonValue>): Record<string, JsonValue> {
  const defined = definitions === undefined ? {} : { definitions };
  if ($ref === undefined) return { ...siblings, ...defined };
  if (Object.keys(siblings).length === 0 && definitions === undefined) return { $ref };
  return { allOf: [{ $ref }, siblings], ...defined };
}

function convertMap(value: JsonValue, pointer: string): Record<string, JsonValue> {
  const result: Record<string, JsonValue> = {};
  for (const [name, schema] of Object.entries(value as JsonObject)) {
    setOwn(result, name, convertAny(schema, `${pointer}/${name}`));
  }
  return result;
}

/** Converts schemas, lists of schemas, and the plain values of all other keywords. */
function convertAny(value: JsonValue, pointer: string): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue, index) => convertAny(item, `${pointer}/${index}`));
  return typeof value === "object" && value !== null ? convert(value, pointer) : value;
}

function copyInto(target: Record<string, JsonValue>, source: JsonObject): void {
  for (const [name, value] of Object.entries(source)) {
    // Both words of 2020-12 may speak of one property; draft 07 has one place for it.
    const other = Object.hasOwn(target, name) ? target[name] : undefined;
    setOwn(target, name, other === undefined ? value : both(other, value));
  }
}

function both(one: JsonValue, other: JsonValue): JsonValue {
  return { allOf: [one, other].map((part) => (Array.isArray(part) ? { required: part } : part)) };
}
