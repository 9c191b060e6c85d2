import type { JsonSchema, SchemaObject } from "@hasp/schema";
import { keywordRow, walkSchema } from "@hasp/schema/vocabulary";

/** One schema inside a flat schema. */
export interface SchemaNode {
  readonly schema: SchemaObject;
  /** JSON Pointer into the flat schema. */
  readonly pointer: string;
  /** Name of the property whose schema this is, if it is directly under `properties`. */
  readonly property?: string;
}

/**
 * Lists every schema that a flat schema applies or defines, outer ones first. References are not followed, and schemas
 * in annotations (`contentSchema`) are left out.
 */
export function schemaNodes(root: JsonSchema): readonly SchemaNode[] {
  const nodes: SchemaNode[] = [];
  walkSchema(root, ({ schema, pointer, held }) => {
    if (held !== undefined && keywordRow(held.keyword)?.role === "annotation") return false;
    if (typeof schema === "object") {
      const { keyword, step } = held ?? {};
      nodes.push({ schema, pointer, ...(keyword === "properties" && step !== undefined ? { property: step } : {}) });
    }
    return true;
  });
  return nodes;
}
