import { FIELDS, isLooser, VARYING_FLAGS, type FlagValues, type VaryingFlag } from "@hasp/runtime";
import type { FlatRule, FlatTool } from "../../model/tool.js";

/** What holds for a call. */
export type Outcome = Pick<FlatRule, "class"> & FlagValues;

/** What holds for a call that a row takes, or for one that none takes. */
export function outcomeOf({ metadata }: FlatTool, row?: FlatRule): Outcome {
  return { class: metadata.concurrency.class, ...metadata.behavior, ...row };
}

/** The first value of an outcome that is stricter than another's. */
export function stricterValue(outcome: Outcome, other: Outcome): "class" | VaryingFlag | undefined {
  if (isLooser(FIELDS.concurrency.class, other.class, outcome.class)) return "class";
  return VARYING_FLAGS.find((flag) => isLooser(FIELDS.behavior[flag], other[flag], outcome[flag]));
}
