import type { Dialect } from "./dialect.js";
import { wholeVocabulary } from "./keyword-table.js";
import { commonName, freeShapes } from "./shapes.js";

type Usual = "variants" | "toolName" | "keywords" | "formats" | "patterns" | "shapes" | "limits";

/**
 * Defines a dialect and freezes it deeply. The defaults describe an API with a single mode that accepts all of JSON
 * Schema, common names, and has no limits.
 */
// @__NO_SIDE_EFFECTS__
export function defineDialect(dialect: Omit<Dialect, Usual> & Partial<Pick<Dialect, Usual>>): Dialect {
  return freeze({
    variants: {},
    toolName: commonName,
    keywords: wholeVocabulary,
    formats: "any",
    patterns: "any",
    shapes: freeShapes,
    limits: {},
    ...dialect,
  });
}

/** Copies facts with some changed. Bundlers drop an unused call, but not an unused spread. */
// @__NO_SIDE_EFFECTS__
export function vary<Facts extends object>(facts: Facts, changes: Partial<Facts>): Facts {
  return { ...facts, ...changes };
}

function freeze<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) freeze(inner);
  }
  return value;
}
