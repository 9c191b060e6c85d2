import { wrapForCohere } from "./cohere-v2.js";
import { defineDialect } from "./define-dialect.js";
import type { Dialect } from "./dialect.js";
import { keywordTable } from "./keyword-table.js";
import { commonName, freeShapes } from "./shapes.js";

/** Cohere's chat API, version 2, with the request's `strict_tools: true`. */
export const cohereV2Strict: Dialect = defineDialect({
  id: "cohere-v2-strict",
  family: "cohere",
  confidence: "unverified",
  sources: ["Cohere documentation: Structured Outputs, cohere-ai/cohere-developer-experience@02830ef (2024-11)"],
  checkedOn: "2026-11-20",
  notes: [
    "The source is two years old and says what is unsupported, not whether it is refused; it is taken as refused.",
    "Each object needs a required property, so an object without any is taken as refused, also as the input of a tool without parameters.",
    "Strictness is a field of the request, not of the tool.",
  ],
  variants: { loose: "cohere-v2" },
  toolName: commonName,
  keywords: keywordTable({
    keep: ["title", "description", "type", "const", "enum", "format", "pattern", "properties", "required", "items"],
    rewrite: [
      "$ref", "$defs", "anyOf", "oneOf", "prefixItems", "unevaluatedProperties", "unevaluatedItems",
      "additionalProperties", "patternProperties", "propertyNames",
    ],
    words: [
      "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
      "minProperties", "maxProperties", "dependentRequired", "dependentSchemas", "contains", "minContains",
      "maxContains", "minItems", "maxItems", "uniqueItems", "allOf", "not", "if", "then", "else",
    ],
    drop: [
      "nullable", "default", "examples", "deprecated", "readOnly", "writeOnly", "$comment", "contentEncoding",
      "contentMediaType", "contentSchema",
    ],
  }),
  formats: ["date-time", "uuid", "date", "time"],
  patterns: "unanchored",
  shapes: {
    ...freeShapes,
    nodes: "typed",
    unions: "nowhere",
    nulls: "nowhere",
    closing: "unsaid",
    maps: "pairs",
    tuples: "object",
    enums: "strings",
    anything: "text",
    recursion: "refused",
    referenceSiblings: false,
    items: "demanded",
    emptyProperties: "kept",
    booleanProperties: false,
    someRequired: true,
  },
  limits: { requestProperties: 200 },
  wrap: wrapForCohere,
});
