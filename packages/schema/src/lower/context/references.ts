import { appendToPointer, parsePointer, readReference, writeReference, own } from "@hasp/base/json";
import type { Resolve } from "../../vocabulary/disjoint.js";
import type { JsonSchema, SchemaMap } from "../../vocabulary/json-schema.js";
import { walkSchema } from "../../vocabulary/walk-schema.js";

/** The name of the root among the definitions, for references to `#`. */
export const ROOT = "#";

export function readDefinitionName(reference: string): string | undefined {
  const pointer = readReference(reference);
  if (pointer === undefined || pointer === "") return pointer === "" ? ROOT : undefined;
  const [container, name, ...inside] = parsePointer(pointer);
  return container === "$defs" && inside.length === 0 ? name : undefined;
}

export function readReferredName(schema: JsonSchema): string | undefined {
  return typeof schema === "object" && schema.$ref !== undefined ? readDefinitionName(schema.$ref) : undefined;
}

/** True if a schema holds a reference; with `name`, one to the definition of that name. */
export function hasReference(schema: JsonSchema, name?: string): boolean {
  let found = false;
  walkSchema(schema, (visit) => {
    if (typeof visit.schema !== "object" || visit.schema.$ref === undefined) return;
    found ||= name === undefined || readDefinitionName(visit.schema.$ref) === name;
  });
  return found;
}

export function createReference(name: string): string {
  return writeReference(appendToPointer("/$defs", name));
}

export function resolveReference(schema: JsonSchema, definitions: SchemaMap): JsonSchema {
  const resolve = createResolver(definitions);
  let current = schema;
  for (let step = 0; step < 100 && typeof current === "object" && typeof current.$ref === "string"; step += 1) {
    const target = resolve(current.$ref);
    if (target === undefined) return current;
    current = target;
  }
  return current;
}

export function createResolver(definitions: SchemaMap): Resolve {
  return (reference) => {
    const name = readDefinitionName(reference);
    return name === undefined ? undefined : own(definitions, name);
  };
}
