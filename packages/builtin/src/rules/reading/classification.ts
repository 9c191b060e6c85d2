import { FIELDS, isLooser, VARYING_FLAGS, type VaryingFlag } from "@hasp/runtime/contract";
import type { Classification } from "@hasp/runtime";
import type { FlatRule } from "@hasp/compiler/model";
import type { FlatTool } from "@hasp/compiler";

/** Classifies calls that `row` matches, or that no row matches. */
export function classifyTool({ metadata }: FlatTool, row?: FlatRule): Classification {
  return { class: metadata.concurrency.class, ...metadata.behavior, ...row };
}

export function findStricterValue(own: Classification, other: Classification): "class" | VaryingFlag | undefined {
  if (isLooser(FIELDS.concurrency.class, other.class, own.class)) return "class";
  return VARYING_FLAGS.find((flag) => isLooser(FIELDS.behavior[flag], other[flag], own[flag]));
}
