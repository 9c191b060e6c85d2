import type { JsonObject, JsonValue } from "@hasp/schema";
import { walkSchema } from "@hasp/schema/vocabulary";
import { isList, isObject } from "../json-kind.js";
import { unescapeToken } from "../json-pointer.js";

/**
 * Visits a schema and every schema in it, outer ones first. The values of `enum`, `const`, `default` and `examples` are
 * data, and a property called `$ref` is a property.
 */
export function visitSchemas(
  schema: JsonValue,
  pointer: string,
  visit: (schema: JsonObject, pointer: string) => void,
): void {
  if (!isObject(schema)) return;
  walkSchema(schema, ({ schema: node, pointer: inside }) => {
    if (isObject(node)) visit(node, pointer + inside);
  });
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
