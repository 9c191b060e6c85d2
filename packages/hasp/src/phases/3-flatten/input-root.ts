import type { JsonSchema, SchemaObject } from "@hasp/schema";
import { schemaAt } from "../../model/schema-at.js";

/**
 * Whether a flat schema takes objects and nothing else, as the input of a tool must: what models send is an object of
 * named arguments. It must say so itself; a schema that merely mentions properties takes every number as well.
 */
export function takesOnlyObjects(root: JsonSchema): boolean {
  const visited = new Set<SchemaObject>();
  const holds = (schema: JsonSchema | undefined): boolean => {
    if (typeof schema !== "object" || visited.has(schema)) return false;
    if (schema.type === "object") return true;
    visited.add(schema);
    const named = schema.$ref === undefined ? undefined : schemaAt(root, schema.$ref);
    return (
      holds(named) ||
      [schema.anyOf, schema.oneOf].some(
        (branches) => branches !== undefined && branches.length > 0 && branches.every(holds),
      ) ||
      (schema.allOf ?? []).some(holds)
    );
  };
  return holds(root);
}
