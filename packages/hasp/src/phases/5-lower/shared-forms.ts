import type { SharedForms } from "@hasp/schema";
import { createSharedForms } from "@hasp/schema/shared-forms";
import { createMemory } from "../../model/memory.js";
import type { FlatSchema } from "../../model/tool.js";

const formsSoFar = createMemory<FlatSchema, SharedForms>();

/** What the dialects send alike of a schema: worked out for the first, taken over by the others. */
export function formsOf(flat: FlatSchema): SharedForms {
  return formsSoFar.of(flat, "", createSharedForms);
}
