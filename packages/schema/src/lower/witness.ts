import type { JsonValue } from "../json.js";
import type { SchemaObject } from "../json-schema.js";
import type { Loss, LowerResult } from "./types.js";

/** Gives a search for values on which source and lowered schema differ. */
export function findWitness(_root: SchemaObject, _result: LowerResult): (loss: Loss, budget: number) => JsonValue | undefined {
  return () => undefined;
}
