import type { JsonObject, JsonValue } from "@hasp/schema";
import { keywordRow, mapSubschemas } from "@hasp/schema/vocabulary";
import { setOwn } from "../json/copy-json.js";

/**
 * Converts a schema of draft 2020-12 to draft 07, for the same values. Throws a `TypeError` where that is impossible: a
 * constraint must not be lost silently.
 */
export function toDraft07(schema: JsonObject): Record<string, unknown> {
  return convert(schema, "");
}

function convert(schema: JsonObject, pointer: string): Record<string, JsonValue> {
  const result: Record<string, JsonValue> = {};
  const dependencies: Record<string, JsonValue> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    const at = `${pointer}/${keyword}`;
    const converted = mapSubschemas(keyword, value, (inner, step) =>
      typeof inner === "object" ? convert(inner as JsonObject, step === undefined ? at : `${at}/${step}`) : inner,
    ) as JsonValue;
    if (keyword === "$schema") continue;
    else if (keyword === "$ref") setOwn(result, "$ref", String(value).replace(/^#\/\$defs\//u, "#/definitions/"));
    else if (keyword === "$defs") setOwn(result, "definitions", converted);
    else if (keyword === "dependentRequired" || keyword === "dependentSchemas") {
      copyInto(dependencies, converted as JsonObject);
    } else if (keyword === "prefixItems") setOwn(result, "items", converted);
    else if (isOnlyIn2020(keyword)) {
      throw new TypeError(
        `This schema has no equivalent in draft-07: it has nothing like "${keyword}" at ${at}. Ask for "draft-2020-12".`,
      );
    } else if (keyword === "items" && Object.hasOwn(schema, "prefixItems")) {
      setOwn(result, "additionalItems", converted);
    } else setOwn(result, keyword, converted);
  }
  if (Object.keys(dependencies).length > 0) setOwn(result, "dependencies", dependencies);
  return aloneWithReference(result);
}

/** Whether draft 07 would ignore a keyword that it must not ignore; annotations it may. */
function isOnlyIn2020(keyword: string): boolean {
  const row = keywordRow(keyword);
  return row?.draft === "2020-12" && row.role !== "annotation";
}

/** Draft 07 ignores the siblings of `$ref`, except definitions, which are only looked up. */
function aloneWithReference({ $ref, definitions, ...siblings }: Record<string, JsonValue>): Record<string, JsonValue> {
  const defined = definitions === undefined ? {} : { definitions };
  if ($ref === undefined) return { ...siblings, ...defined };
  if (Object.keys(siblings).length === 0 && definitions === undefined) return { $ref };
  return { allOf: [{ $ref }, siblings], ...defined };
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
