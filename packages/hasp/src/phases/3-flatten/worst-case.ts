import type { FlatRule, FlatTool, ToolModel } from "../../model/tool.js";
import { CLASS_ORDER } from "../2-resolve/relaxations.js";

/**
 * The strictest answer that any call may get: what hints that cannot depend on the input must say. A flag that a row names
 * has its strict value when a condition fails, so naming a flag already makes it strict here.
 */
export function worstCaseOf({ metadata }: ToolModel, rules: readonly FlatRule[]): FlatTool["worstCase"] {
  const { behavior, concurrency } = metadata;
  const classes = new Set([concurrency.class, ...rules.map((rule) => rule.class)]);
  const isNamed = (flag: "isReadOnly" | "isDestructive" | "isIdempotent" | "requiresPermission"): boolean =>
    rules.some((rule) => rule[flag] !== undefined);
  return {
    class: CLASS_ORDER.find((each) => classes.has(each)) ?? concurrency.class,
    isReadOnly: behavior.isReadOnly && !isNamed("isReadOnly"),
    isDestructive: behavior.isDestructive || isNamed("isDestructive"),
    // `withKey` is safe only for who sends the key along, which a reader of hints does not.
    isIdempotent: behavior.isIdempotent === true && !isNamed("isIdempotent"),
    isOpenWorld: behavior.isOpenWorld,
    requiresPermission: behavior.requiresPermission || isNamed("requiresPermission"),
  };
}
