import type { JsonSchema } from "@hasp/schema";
import { copyJson, deepFreeze } from "@hasp/base/json";

/** Returns a frozen schema: a tool's must not change after it was built. */
export function freezeSchema(schema: JsonSchema): JsonSchema {
  return Object.isFrozen(schema) ? schema : (deepFreeze(copyJson(schema)) as JsonSchema);
}
