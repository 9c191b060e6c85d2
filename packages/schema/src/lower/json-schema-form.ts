import type { JsonSchema } from "../json-schema.js";
import { mapSubschemas } from "../inspect/subschemas.js";
import { walkSchema } from "./walk.js";

/** A lowered schema in the words of JSON Schema: `nullable` becomes a union with null. The schema itself where there is none. */
export function asJsonSchema(schema: JsonSchema): JsonSchema {
  let isNeeded = false;
  walkSchema(schema, ({ node }) => {
    isNeeded ||= node["nullable"] !== undefined;
  });
  return isNeeded ? translated(schema) : schema;
}

function translated(schema: JsonSchema): JsonSchema {
  if (typeof schema !== "object") return schema;
  const { nullable, ...rest } = schema;
  const node = Object.fromEntries(Object.entries(rest).map(([keyword, value]) => [keyword, mapSubschemas(keyword, value, translated)]));
  return nullable === true ? { anyOf: [node, { type: "null" }] } : node;
}
