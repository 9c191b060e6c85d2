import { escapeToken, unescapeToken } from "../../json/pointer.js";
import type { Resolve } from "../../vocabulary/disjoint.js";
import type { JsonSchema, SchemaMap } from "../../vocabulary/json-schema.js";

const DEFINITIONS = "#/$defs/";

/** The name under which the root stands among the definitions, for references to `#`. */
export const ROOT = "#";

/** The name of the definition that a reference names; flat schemas have no others. */
export function definitionName(reference: string): string | undefined {
  if (reference === ROOT) return ROOT;
  if (!reference.startsWith(DEFINITIONS)) return undefined;
  try {
    return unescapeToken(decodeURIComponent(reference.slice(DEFINITIONS.length)));
  } catch {
    return undefined;
  }
}

/** The name of the definition that a schema refers to. */
export function referenceIn(schema: JsonSchema): string | undefined {
  return typeof schema === "object" && schema.$ref !== undefined ? definitionName(schema.$ref) : undefined;
}

/** The reference that names a definition. A lone surrogate has no percent-encoding and stays as it is. */
export function referenceTo(name: string): string {
  return DEFINITIONS + escapeToken(name).replaceAll(/\P{Surrogate}+/gu, encodeURIComponent);
}

/** The schema that a bare reference names; any other schema is given back. */
export function resolveReference(schema: JsonSchema, definitions: SchemaMap): JsonSchema {
  const resolve = resolverOf(definitions);
  let current = schema;
  for (let step = 0; step < 100 && typeof current === "object" && typeof current.$ref === "string"; step += 1) {
    const target = resolve(current.$ref);
    if (target === undefined) return current;
    current = target;
  }
  return current;
}

/** What areDisjoint and its like follow references by. */
export function resolverOf(definitions: SchemaMap): Resolve {
  return (reference) => {
    const name = definitionName(reference);
    return name !== undefined && Object.hasOwn(definitions, name) ? definitions[name] : undefined;
  };
}
