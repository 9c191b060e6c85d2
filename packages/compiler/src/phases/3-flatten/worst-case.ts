import {
  FAIL_CLOSED_DEFAULTS,
  FIELD_ENTRIES,
  FIELDS,
  strictest,
  VARYING_FLAGS,
  type Classification,
  type FlagValues,
} from "@hasp/runtime";
import type { FlatRule, ToolModel, WorstCase } from "../../model/tool.js";

/** Returns the strictest classification of any call, which is what static hints must state. */
export function worstCaseOf(tool: ToolModel, rules: readonly FlatRule[]): WorstCase {
  const classifications = classificationsOf(tool, rules);
  const flags = FIELD_ENTRIES.filter(
    ({ group, field }) => group === "behavior" && (field.perCall !== undefined || field.hint !== undefined),
  ).map(({ name, field }) => {
    const values = classifications.map(
      (classification) => ({ ...tool.metadata.behavior, ...classification })[name as keyof FlagValues],
    );
    // `withKey` is safe only for callers that send the key, and readers of hints do not.
    return [name, strictest(field, values) === true];
  });
  return {
    class: strictest(
      FIELDS.concurrency.class,
      classifications.map((classification) => classification.class),
    ),
    ...Object.fromEntries(flags),
  } as WorstCase;
}

/** The possible classifications of a call. Where a condition fails, every flag that any row sets is strict. */
function classificationsOf({ metadata }: ToolModel, rules: readonly FlatRule[]): readonly Classification[] {
  const own: Classification = { class: metadata.concurrency.class, ...metadata.behavior };
  const classifications = [own, ...rules.map((rule) => ({ ...own, ...rule }))];
  if (!rules.some(mayFail)) return classifications;
  const named = VARYING_FLAGS.filter((flag) => rules.some((rule) => rule[flag] !== undefined));
  const failed = Object.fromEntries(named.map((flag) => [flag, FAIL_CLOSED_DEFAULTS.behavior[flag]]));
  return [...classifications, { ...own, ...failed, class: FAIL_CLOSED_DEFAULTS.concurrency.class }];
}

/** Helpers that never throw on valid input: the compiler has proved that what they read is present. */
const SAFE_HELPERS: ReadonlySet<string> = new Set(["member", "hasMember"]);

/** True if a condition may throw: custom functions may, as may expressions beyond comparisons of present fields. */
function mayFail({ when }: FlatRule): boolean {
  return when.kind === "custom" || when.helpers.some((helper) => !SAFE_HELPERS.has(helper));
}
