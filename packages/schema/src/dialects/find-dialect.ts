import { dialects } from "./all.js";
import type { Dialect } from "./definition/dialect.js";
import type { DialectId } from "./definition/dialect-id.js";

/** Looks up a dialect by its id; a dialect is returned as it is. Throws a `RangeError` for an unknown id. */
export function findDialect(dialect: DialectId | Dialect): Dialect {
  if (typeof dialect !== "string") return dialect;
  if (!Object.hasOwn(dialects, dialect)) {
    throw new RangeError(`There is no dialect "${dialect}"; there are: ${Object.keys(dialects).join(", ")}.`);
  }
  return dialects[dialect];
}
