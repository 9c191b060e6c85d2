import { type JsonSchema, findOpenLocations } from "@hasp/schema";
import type { Relaxation } from "../../model/tool.js";

/** Finds the claims of a flat input schema: each location where undeclared keys or items of any value may enter. */
export function findOpenInputs(schema: JsonSchema): readonly Relaxation[] {
  return findOpenLocations(schema).map(({ pointer }) => ({
    claim: `input${pointer}: true`,
    pointer: `/input${pointer}`,
    covers: { kind: "input" },
  }));
}
