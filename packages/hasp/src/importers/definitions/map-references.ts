import type { JsonValue } from "@hasp/schema";
import { isList, isObject } from "../../model/json-kind.js";
import { KEYWORDS } from "../translation/schema-words.js";

/** Replaces every `$ref` in a translated schema; leaves data unchanged. */
export function mapReferences(schema: JsonValue, replace: (reference: string) => string): JsonValue {
  if (!isObject(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, operand]): [string, JsonValue] => {
      if (keyword === "$ref" && typeof operand === "string") return [keyword, replace(operand)];
      const shape = KEYWORDS.get(keyword);
      if (shape === undefined || shape === "value") return [keyword, operand];
      if (isList(operand)) return [keyword, operand.map((item) => mapReferences(item, replace))];
      if (shape !== "map" && shape !== "map-of-schemas-or-names") return [keyword, mapReferences(operand, replace)];
      if (!isObject(operand)) return [keyword, operand];
      return [
        keyword,
        Object.fromEntries(Object.entries(operand).map(([name, item]) => [name, mapReferences(item, replace)])),
      ];
    }),
  );
}
