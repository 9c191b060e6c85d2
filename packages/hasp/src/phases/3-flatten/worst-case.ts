import {
  FAIL_CLOSED_DEFAULTS,
  FIELD_ENTRIES,
  FIELDS,
  strictest,
  VARYING_FLAGS,
  type ConcurrencyClass,
  type FlagValues,
} from "@hasp/runtime";
import type { FlatRule, ToolModel, WorstCase } from "../../model/tool.js";

/** Possible classifications of a call. */
interface Outcome extends FlagValues {
  readonly class: ConcurrencyClass;
}

/** Returns the strictest classification of any call, which is what static hints must state. */
export function worstCaseOf(tool: ToolModel, rules: readonly FlatRule[]): WorstCase {
  const outcomes = outcomesOf(tool, rules);
  const flags = FIELD_ENTRIES.filter(
    ({ group, field }) => group === "behavior" && (field.perCall !== undefined || field.hint !== undefined),
  ).map(({ name, field }) => {
    const values = outcomes.map((outcome) => ({ ...tool.metadata.behavior, ...outcome })[name as keyof FlagValues]);
    // `withKey` is safe only for callers that send the key, and readers of hints do not.
    return [name, strictest(field, values) === true];
  });
  return {
    class: strictest(
      FIELDS.concurrency.class,
      outcomes.map((outcome) => outcome.class),
    ),
    ...Object.fromEntries(flags),
  } as WorstCase;
}

/** Either no row matches, one row matches, or a condition fails; then every flag that any row sets is strict. */
function outcomesOf({ metadata }: ToolModel, rules: readonly FlatRule[]): readonly Outcome[] {
  const own: Outcome = { class: metadata.concurrency.class, ...metadata.behavior };
  const outcomes = [own, ...rules.map((rule) => ({ ...own, ...rule }))];
  if (!rules.some(mayFail)) return outcomes;
  const named = VARYING_FLAGS.filter((flag) => rules.some((rule) => rule[flag] !== undefined));
  const failed = Object.fromEntries(named.map((flag) => [flag, FAIL_CLOSED_DEFAULTS.behavior[flag]]));
  return [...outcomes, { ...own, ...failed, class: FAIL_CLOSED_DEFAULTS.concurrency.class }];
}

/** Helpers that never throw on valid input: the compiler has proved that what they read is present. */
const SAFE_HELPERS: ReadonlySet<string> = new Set(["member", "hasMember"]);

/** Whether a condition may throw: custom functions may, as may expressions beyond comparisons of present fields. */
function mayFail({ when }: FlatRule): boolean {
  return when.kind === "custom" || when.helpers.some((helper) => !SAFE_HELPERS.has(helper));
}
