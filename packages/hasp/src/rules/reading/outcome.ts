import { FAIL_CLOSED_DEFAULTS } from "@hasp/runtime";
import { CLASS_ORDER } from "../../model/class-order.js";
import type { FlatRule, FlatTool } from "../../model/tool.js";

/** What holds for a call. */
export type Outcome = Pick<FlatRule, "class"> & Required<Pick<FlatRule, Flag>>;

type Flag = (typeof FLAGS)[number];

const FLAGS = ["isDestructive", "requiresPermission", "isReadOnly", "isIdempotent"] as const;

/** What holds for a call that a row takes, or for one that none takes. */
export function outcomeOf({ metadata }: FlatTool, row?: FlatRule): Outcome {
  const { isReadOnly, isDestructive, isIdempotent, requiresPermission } = metadata.behavior;
  return { class: metadata.concurrency.class, isReadOnly, isDestructive, isIdempotent, requiresPermission, ...row };
}

/** The first value of an outcome that is stricter than another's. */
export function stricterValue(outcome: Outcome, other: Outcome): "class" | Flag | undefined {
  if (CLASS_ORDER.indexOf(outcome.class) < CLASS_ORDER.indexOf(other.class)) return "class";
  const { behavior: strict } = FAIL_CLOSED_DEFAULTS;
  return FLAGS.find((flag) => outcome[flag] === strict[flag] && other[flag] !== strict[flag]);
}
