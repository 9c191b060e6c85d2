import type { JsonValue } from "@hasp/schema";
import { mapSubschemas } from "@hasp/schema/vocabulary";
import { isObject } from "../../../../compiler/src/model/json-kind.js";

/** Replaces every `$ref` in a translated schema; leaves data unchanged. */
export function mapReferences(schema: JsonValue, replace: (reference: string) => string): JsonValue {
  if (!isObject(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, operand]): [string, JsonValue] =>
      keyword === "$ref" && typeof operand === "string"
        ? [keyword, replace(operand)]
        : [
            keyword,
            mapSubschemas(keyword, operand, (inner) => mapReferences(inner as JsonValue, replace)) as JsonValue,
          ],
    ),
  );
}
