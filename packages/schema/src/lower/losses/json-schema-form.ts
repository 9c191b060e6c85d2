import { mapMembers } from "@hasp/base/json";
import type { JsonSchema } from "../../vocabulary/json-schema.js";
import { mapSubschemas, walkSchema, type Visit } from "../../vocabulary/walk-schema.js";

/** Translates a lowered schema to plain JSON Schema: `nullable` becomes a union with null. */
export function toJsonSchema(schema: JsonSchema): JsonSchema {
  const touched = new Set<JsonSchema>();
  walkSchema(schema, (visit) => {
    if (typeof visit.schema !== "object" || visit.schema["nullable"] === undefined) return;
    for (let ancestor: Visit | undefined = visit; ancestor !== undefined; ancestor = ancestor.parent) {
      touched.add(ancestor.schema);
    }
  });
  const translated = (inner: JsonSchema): JsonSchema => {
    if (typeof inner !== "object" || !touched.has(inner)) return inner;
    const { nullable, ...rest } = inner;
    const node = mapMembers(rest, (value, keyword) => mapSubschemas(keyword, value, translated));
    return nullable === true ? { anyOf: [node, { type: "null" }] } : node;
  };
  return translated(schema);
}
