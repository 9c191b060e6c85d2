import type { Dialect, DialectId } from "../dialects/dialect.js";
import { dialectOf } from "../dialects/dialect-of.js";
import { fitNames } from "./names.js";

/** The names that a dialect's list gives to tools: each fits the dialect's rule, and no two are alike. */
export function wireNames(names: readonly string[], dialect: DialectId | Dialect): ReadonlyMap<string, string> {
  return fitNames(names, dialectOf(dialect).toolName);
}
