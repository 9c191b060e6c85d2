import type { Dialect } from "./dialect.js";

/** Freezes a dialect to the bottom: its data is shared by everybody who lowers. */
export function defineDialect(dialect: Dialect): Dialect {
  return freeze(dialect);
}

function freeze<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) freeze(inner);
  }
  return value;
}
