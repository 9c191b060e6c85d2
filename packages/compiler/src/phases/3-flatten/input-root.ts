import type { JsonSchema, SchemaObject } from "@hasp/schema";
import { schemaAt } from "../../model/schemas/schema-at.js";

/**
 * True if a flat schema accepts only objects, as the input of a tool must: models send an object of named arguments.
 * The schema must declare the type; one that only lists properties accepts every number as well.
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
