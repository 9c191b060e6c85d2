import type { JsonObject, JsonValue } from "@hasp/schema";
import { isList } from "../../model/json-kind.js";
import { escapeToken, unescapeToken } from "../../model/json-pointer.js";

/** Keywords whose value is one schema. */
const SCHEMA_KEYWORDS: ReadonlySet<string> = new Set([
  "additionalItems",
  "additionalProperties",
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

/** Keywords whose value is a list of schemas (`items` is one in draft-07). */
const LIST_KEYWORDS: ReadonlySet<string> = new Set(["allOf", "anyOf", "items", "oneOf", "prefixItems"]);

/** Keywords whose value maps names to schemas. */
const MAP_KEYWORDS: ReadonlySet<string> = new Set([
  "$defs",
  "definitions",
  "dependencies",
  "dependentSchemas",
  "patternProperties",
  "properties",
]);

/**
 * Visits a schema and every schema in it. What stands under `enum`, `const`, `default` and `examples` is data, and a
 * property called `$ref` is a property.
 */
export function visitSchemas(
  schema: JsonValue,
  pointer: string,
  visit: (schema: JsonObject, pointer: string) => void,
): void {
  const waiting: { readonly schema: JsonValue; readonly pointer: string }[] = [{ schema, pointer }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { schema: current, pointer: at } = next;
    if (typeof current !== "object" || current === null || isList(current)) continue;
    visit(current, at);
    for (const keyword of Object.keys(current)) {
      const value = current[keyword] ?? null;
      // Most words hold no schema, and most of those that do not hold no object either.
      if (typeof value !== "object" || value === null) continue;
      const place = `${at}/${escapeToken(keyword)}`;
      if (LIST_KEYWORDS.has(keyword) && isList(value)) {
        for (const [index, item] of value.entries()) waiting.push({ schema: item, pointer: `${place}/${index}` });
      } else if (SCHEMA_KEYWORDS.has(keyword)) waiting.push({ schema: value, pointer: place });
      else if (MAP_KEYWORDS.has(keyword) && !isList(value)) {
        for (const name of Object.keys(value)) {
          waiting.push({ schema: value[name] ?? null, pointer: `${place}/${escapeToken(name)}` });
        }
      }
    }
  }
}

/** The value at a JSON Pointer; own properties only. */
export function valueAt(value: JsonValue, pointer: string): JsonValue | undefined {
  let current: JsonValue | undefined = value;
  for (const segment of pointer.split("/").slice(1)) {
    const token = unescapeToken(segment);
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, token)) return undefined;
    current = isList(current) ? current[Number(token)] : current[token];
  }
  return current;
}
