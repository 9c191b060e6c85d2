import { wrapForCohere } from "./cohere-v2.js";
import { defineDialect } from "./define-dialect.js";
import type { Dialect } from "./dialect.js";
import { keywordTable } from "./keyword-table.js";
import { commonName, freeShapes } from "./shapes.js";

/** Ollama: the server decodes schemas into typed structs, so whatever they lack vanishes without an error. */
export const ollama: Dialect = defineDialect({
  id: "ollama",
  family: "ollama",
  confidence: "unverified",
  sources: ["ollama/ollama@fb3076099 api/types.go", "ollama@0.6.4 dist/browser.d.ts"],
  checkedOn: "2026-11-20",
  notes: [
    "Below items the server keeps everything; the table of properties is applied there too, so that one rule holds.",
    "$defs survive at the root but a property's $ref does not: references are inlined.",
  ],
  variants: {},
  toolName: commonName,
  keywords: keywordTable({
    keep: ["description", "type", "enum", "properties", "required", "items", "anyOf"],
    rewrite: [
      "$ref", "$defs", "const", "oneOf", "additionalProperties", "unevaluatedProperties", "unevaluatedItems",
      "patternProperties", "propertyNames", "prefixItems",
    ],
    words: [
      "format", "pattern", "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
      "multipleOf", "minProperties", "maxProperties", "dependentRequired", "dependentSchemas", "contains", "minContains",
      "maxContains", "minItems", "maxItems", "uniqueItems", "allOf", "not", "if", "then", "else",
    ],
    drop: [
      "nullable", "title", "default", "examples", "deprecated", "readOnly", "writeOnly", "$comment", "contentEncoding",
      "contentMediaType", "contentSchema",
    ],
  }),
  rootKeywords: keywordTable({ rewrite: ["anyOf", "oneOf"], drop: ["description"], words: ["enum", "const"] }),
  formats: [],
  patterns: "any",
  shapes: {
    ...freeShapes,
    closing: "unsaid",
    maps: "pairs",
    tuples: "array",
    recursion: "cut",
    referenceSiblings: false,
    booleanProperties: false,
  },
  limits: {},
  wrap: wrapForCohere,
});
