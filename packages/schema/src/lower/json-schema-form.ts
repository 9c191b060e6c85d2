import type { JsonSchema } from "../json-schema.js";
import { mapSubschemas } from "../inspect/subschemas.js";

/** A lowered schema in the words of JSON Schema: `nullable` becomes a union with null. */
export function asJsonSchema(schema: JsonSchema): JsonSchema {
  if (typeof schema !== "object") return schema;
  const { nullable, ...rest } = schema;
  const node = Object.fromEntries(Object.entries(rest).map(([keyword, value]) => [keyword, mapSubschemas(keyword, value, asJsonSchema)]));
  return nullable === true ? { anyOf: [node, { type: "null" }] } : node;
}
