import { isStructured } from "@hasp/base/json";
import type { Dialect, NameRule, Shapes } from "./dialect.js";
import { subsetVocabulary, wholeVocabulary } from "./keyword-table.js";

/** An API that takes the whole of JSON Schema wherever it stands. */
export const freeShapes: Shapes = {
  nodes: "free",
  unions: "anywhere",
  nulls: "type-array",
  optional: "omitted",
  closing: "kept",
  maps: "kept",
  tuples: "kept",
  enums: "any",
  anything: "kept",
  recursion: "references",
  repetition: false,
  referenceSiblings: true,
  items: "optional",
  emptyProperties: "kept",
  booleanProperties: true,
  someRequired: false,
};

/** A subset in which each node has one type and little else can be said, as in most strict modes. */
export const typedShapes: Shapes = {
  nodes: "typed",
  unions: "anywhere",
  nulls: "type-array",
  optional: "omitted",
  closing: "unsaid",
  maps: "pairs",
  tuples: "object",
  enums: "scalars",
  anything: "text",
  recursion: "refused",
  repetition: false,
  referenceSiblings: false,
  items: "demanded",
  emptyProperties: "kept",
  booleanProperties: false,
  someRequired: false,
};

/** Letters, digits, `_` and `-`, at most 64: the rule that every provider but one states, and all accept. */
export const commonName: NameRule = { first: "[A-Za-z0-9_-]", further: "[A-Za-z0-9_-]", maxLength: 64 };

type Usual = "variants" | "toolName" | "keywords" | "formats" | "patterns" | "shapes" | "limits";

/** Defines a frozen dialect. By default it accepts all of JSON Schema and common names, without limits. */
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

/** Returns the dialect's facts for the text of a free-text tool. An entry can state a pattern of the text, nothing else. */
export function forText(dialect: Dialect): Dialect {
  const { rootKeywords: _ofArguments, ...facts } = dialect;
  // Bare text has no other properties.
  const keywords = { ...subsetVocabulary, additionalProperties: "keep" } as const;
  return { ...facts, keywords, formats: "any", patterns: "any", shapes: freeShapes, limits: {} };
}

function freeze<Value>(value: Value): Value {
  if (isStructured(value) && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) freeze(inner);
  }
  return value;
}
