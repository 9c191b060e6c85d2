import type { JsonSchema, JsonValue, SchemaObject } from "@hasp/schema";
import { own } from "../own.js";

/** The only values that `const` or `enum` of a schema leaves; `undefined` where it has neither. */
export function listedValues({ const: constant, enum: values }: SchemaObject): readonly JsonValue[] | undefined {
  return constant === undefined ? values : [constant];
}

/** Returns the schema of a property; `undefined` where it does not declare it. */
export function propertyOf({ properties }: SchemaObject, name: string): JsonSchema | undefined {
  return own(properties, name);
}

/**
 * A part of a flat schema together with the named cycles that its references point to. A part with its own keeps those.
 */
export function withDefinitions(part: SchemaObject, root: JsonSchema): SchemaObject {
  const isComplete = typeof root === "boolean" || root.$defs === undefined || part.$defs !== undefined;
  return isComplete ? part : { ...part, $defs: root.$defs };
}
