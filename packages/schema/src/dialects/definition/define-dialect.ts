import type { Dialect } from "./dialect.js";
import { wholeVocabulary } from "./keyword-table.js";
import { commonName, freeShapes } from "./shapes.js";

type Usual = "variants" | "toolName" | "keywords" | "formats" | "patterns" | "shapes" | "limits";

/**
 * A dialect, frozen to the bottom: its data is shared by everybody who lowers. What is left out is as in an API of one
 * mode that takes the whole of JSON Schema, names of the common form, and any number of anything.
 */
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

function freeze<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) freeze(inner);
  }
  return value;
}
