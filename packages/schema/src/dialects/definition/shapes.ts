import type { NameRule, Shapes } from "./dialect.js";

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

/** A subset in which each node is of one type, and little else can be said: what most strict modes have in common. */
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
