import type { JsonSchema } from "@hasp/schema";
import { copyJson } from "./copy-json.js";
import { deepFreeze } from "./deep-freeze.js";

/** The schema itself if it is frozen, else a frozen copy: a tool's schema must not change after it was built. */
export function frozenSchema(schema: JsonSchema): JsonSchema {
  return Object.isFrozen(schema) ? schema : (deepFreeze(copyJson(schema)) as JsonSchema);
}
