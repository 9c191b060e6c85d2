import type { JsonSchema, SchemaObject } from "../json-schema.js";

/** A lowered schema in the words of JSON Schema: `nullable` becomes a union with null. */
export function asJsonSchema(schema: JsonSchema): JsonSchema {
  if (typeof schema !== "object") return schema;
  const { properties, items, anyOf } = schema;
  const { nullable, ...rest } = schema as SchemaObject & { readonly nullable?: unknown };
  const node: SchemaObject = {
    ...rest,
    ...(properties === undefined
      ? {}
      : { properties: Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, asJsonSchema(inner)] as const)) }),
    ...(typeof items === "object" && !Array.isArray(items) ? { items: asJsonSchema(items as JsonSchema) } : {}),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map((branch) => asJsonSchema(branch)) }),
  };
  return nullable === true ? { anyOf: [node, { type: "null" }] } : node;
}
