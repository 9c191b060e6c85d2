import { FIELDS, isLooser } from "@hasp/runtime";
import type { FlatRule, FlatTool } from "../../../model/tool.js";
import type { Expression } from "../../../cel/index.js";
import { classifyTool, findStricterValue } from "./classification.js";

/** A condition that may relax how a call is treated. */
interface RelaxingPredicate {
  readonly expression: Expression;
  /** The answer that relaxes. */
  readonly relaxesWhen: boolean;
  readonly pointer: string;
}

/** Lists the conditions that may relax how a tool is treated. */
export function findRelaxingPredicates(tool: FlatTool): readonly RelaxingPredicate[] {
  const found: RelaxingPredicate[] = [];
  const relaxed = new Set(tool.relaxations.map((relaxation) => relaxation.pointer));
  for (const [position, row] of tool.rules.entries()) {
    if (!relaxed.has(`/concurrency/rules/${row.index}`)) continue;
    found.push(...asked(row, true));
    // A stricter row above takes calls from this one: if it does not match, this one relaxes.
    for (const above of tool.rules.slice(0, position)) {
      if (findStricterValue(classifyTool(tool, above), classifyTool(tool, row)) !== undefined) {
        found.push(...asked(above, false));
      }
    }
  }
  const own = classifyTool(tool);
  for (const row of tool.rules) {
    if (findStricterValue(classifyTool(tool, row), own) !== undefined) found.push(...asked(row, false));
  }
  for (const { flag, polarity, predicate } of tool.flags) {
    if (predicate.kind === "custom") continue;
    const isTrueLooser = isLooser(FIELDS.behavior[flag], true, false);
    const relaxesWhen = (polarity === "when") === isTrueLooser;
    found.push({ expression: predicate.expression, relaxesWhen, pointer: `/behavior/${flag}/${polarity}` });
  }
  return found;
}

function asked({ index, when }: FlatRule, relaxesWhen: boolean): readonly RelaxingPredicate[] {
  if (when.kind === "custom") return [];
  return [{ expression: when.expression, relaxesWhen, pointer: `/concurrency/rules/${index}/when` }];
}
