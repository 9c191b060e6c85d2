import { FAIL_CLOSED_DEFAULTS, type ConcurrencyClass, type Idempotence } from "@hasp/runtime";
import type { FlatRule, FlatTool, ToolModel } from "../../model/tool.js";
import { CLASS_ORDER } from "../../model/class-order.js";

/** What a call may be classified as. */
interface Outcome {
  readonly class: ConcurrencyClass;
  readonly isReadOnly: boolean;
  readonly isDestructive: boolean;
  readonly isIdempotent: Idempotence;
  readonly requiresPermission: boolean;
}

/** The strictest answer that any call may get: what hints that cannot depend on the input must say. */
export function worstCaseOf(tool: ToolModel, rules: readonly FlatRule[]): FlatTool["worstCase"] {
  const outcomes = outcomesOf(tool, rules);
  return {
    class:
      CLASS_ORDER.find((each) => outcomes.some((outcome) => outcome.class === each)) ??
      FAIL_CLOSED_DEFAULTS.concurrency.class,
    isReadOnly: outcomes.every((outcome) => outcome.isReadOnly),
    isDestructive: outcomes.some((outcome) => outcome.isDestructive),
    // `withKey` is safe only for who sends the key along, which a reader of hints does not.
    isIdempotent: outcomes.every((outcome) => outcome.isIdempotent === true),
    isOpenWorld: tool.metadata.behavior.isOpenWorld,
    requiresPermission: outcomes.some((outcome) => outcome.requiresPermission),
  };
}

/** No row matches; one of them does; or a condition fails, and every flag that any row names is strict. */
function outcomesOf({ metadata }: ToolModel, rules: readonly FlatRule[]): readonly Outcome[] {
  const { isReadOnly, isDestructive, isIdempotent, requiresPermission } = metadata.behavior;
  const own: Outcome = {
    class: metadata.concurrency.class,
    isReadOnly,
    isDestructive,
    isIdempotent,
    requiresPermission,
  };
  const outcomes = [own, ...rules.map((rule) => ({ ...own, ...rule }))];
  if (!rules.some(mayFail)) return outcomes;
  const strict = { ...FAIL_CLOSED_DEFAULTS.behavior, class: FAIL_CLOSED_DEFAULTS.concurrency.class };
  const named = new Set(rules.flatMap((rule) => Object.keys(rule)));
  const failed = Object.fromEntries(Object.entries(strict).filter(([flag]) => named.has(flag)));
  return [...outcomes, { ...own, ...failed }];
}

/** A function may throw; so may an expression that is more than plain operators on fields known to be there. */
function mayFail({ when }: FlatRule): boolean {
  return when.kind === "custom" || when.helpers.length > 0;
}
