import { closeSchema } from "@hasp/schema/close";
import type { JsonSchema } from "@hasp/schema";
import { copyJson } from "../json/copy-json.js";
import { deepFreeze } from "../json/deep-freeze.js";

/**
 * The input schema of a definition, closed where nothing closes or opens it. A schema that hasp compiled is closed already
 * and stays the same object. Throws where closing by itself could change the meaning.
 */
export function closeInput(definition: { readonly name: string; readonly input: JsonSchema }): JsonSchema {
  const { schema, diagnostics } = closeSchema(definition.input);
  const fault = diagnostics.find((diagnostic) => diagnostic.severity === "error");
  if (fault !== undefined) {
    throw new TypeError(`Tool "${definition.name}", input${fault.origin.pointer}: ${fault.message}`);
  }
  return frozen(schema);
}

/** The schema itself if it is frozen, else a frozen copy: what a tool validates with must not change under it. */
export function frozen(schema: JsonSchema): JsonSchema {
  return Object.isFrozen(schema) ? schema : (deepFreeze(copyJson(schema)) as JsonSchema);
}
