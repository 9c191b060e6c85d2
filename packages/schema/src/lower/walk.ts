import type { JsonSchema, SchemaMap, SchemaObject } from "../json-schema.js";

const mapKeywords = ["properties", "patternProperties", "dependentSchemas", "$defs"] as const;
const listKeywords = ["prefixItems", "anyOf", "oneOf", "allOf"] as const;
const singleKeywords = [
  "propertyNames", "additionalProperties", "unevaluatedProperties", "items", "contains", "unevaluatedItems", "not", "if",
  "then", "else", "contentSchema",
] as const;

/** Visits every schema object in a schema, outer ones first, with its JSON Pointer. */
export function walkSchema(root: JsonSchema, visit: (node: SchemaObject, pointer: string) => void): void {
  const pending: { readonly schema: JsonSchema; readonly pointer: string }[] = [{ schema: root, pointer: "" }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { schema, pointer } = next;
    if (typeof schema !== "object" || schema === null) continue;
    visit(schema, pointer);
    for (const keyword of mapKeywords) {
      const map: SchemaMap | undefined = schema[keyword];
      if (map === undefined) continue;
      for (const [name, inner] of Object.entries(map)) pending.push({ schema: inner, pointer: `${pointer}/${keyword}/${escaped(name)}` });
    }
    for (const keyword of listKeywords) {
      schema[keyword]?.forEach((inner, index) => pending.push({ schema: inner, pointer: `${pointer}/${keyword}/${index}` }));
    }
    for (const keyword of singleKeywords) {
      const inner = schema[keyword];
      if (typeof inner === "object" && !Array.isArray(inner)) pending.push({ schema: inner as JsonSchema, pointer: `${pointer}/${keyword}` });
    }
  }
}

function escaped(name: string): string {
  return name.includes("~") || name.includes("/") ? name.replaceAll("~", "~0").replaceAll("/", "~1") : name;
}
