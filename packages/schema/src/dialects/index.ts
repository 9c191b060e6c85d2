import { dialects } from "./all.js";
import type { DialectId } from "./definition/dialect-id.js";
import type { Dialect } from "./definition/dialect.js";

export type {
  Dialect,
  DialectLimits,
  DialectName,
  PluginDialectId,
  NameRule,
  Shapes,
  WireTool,
} from "./definition/dialect.js";
export type { DialectFamily, DialectId } from "./definition/dialect-id.js";
export { defineDialect, forText } from "./definition/define-dialect.js";
export type { KeywordTable } from "./definition/keyword-table.js";

export { dialects };

/** Returns the dialect of the same API that asks the provider to enforce the schema; `undefined` if there is none. */
export function strictVariant(id: DialectId | Dialect): DialectId | undefined {
  const { id: own, variants } = findDialect(id);
  return variants.strict ?? (variants.loose === undefined ? undefined : (own as DialectId));
}

/** True if lists of this dialect ask the provider to enforce the schema. */
export function isStrict(id: DialectId | Dialect): boolean {
  return findDialect(id).variants.loose !== undefined;
}

/** Looks up a dialect by its id; a dialect is returned as it is. Throws a `RangeError` for an unknown id. */
export function findDialect(dialect: DialectId | Dialect): Dialect {
  if (typeof dialect !== "string") return dialect;
  if (!Object.hasOwn(dialects, dialect)) {
    throw new RangeError(`There is no dialect "${dialect}"; there are: ${Object.keys(dialects).join(", ")}.`);
  }
  return dialects[dialect];
}
