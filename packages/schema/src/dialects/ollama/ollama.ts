import { wrapForCohere } from "../definition/wire-entries.js";
import { defineDialect, vary, freeShapes } from "../definition/define-dialect.js";
import type { Dialect, Provenance } from "../definition/dialect.js";
import { keywordTable, subsetVocabulary } from "../definition/keyword-table.js";

/** Ollama: the server decodes schemas into typed structs, so whatever they lack vanishes without an error. */
export const ollama: Dialect = defineDialect({
  id: "ollama",
  family: "ollama",
  title: "Ollama's API.",
  entry: { type: "FunctionTool", use: "`tools` of Ollama's chat API" },
  confidence: "unverified",
  keywords: keywordTable({ words: ["format", "pattern", "minItems"], drop: ["title"] }, subsetVocabulary),
  rootKeywords: keywordTable({ rewrite: ["anyOf", "oneOf"], drop: ["description"], words: ["enum", "const"] }),
  formats: [],
  shapes: vary(freeShapes, {
    closing: "unsaid",
    maps: "pairs",
    tuples: "array",
    recursion: "cut",
    referenceSiblings: false,
    booleanProperties: false,
  }),
  wrap: wrapForCohere,
});

export const provenance: Provenance = {
  sources: ["ollama/ollama@fb3076099 api/types.go", "ollama@0.6.4 dist/browser.d.ts"],
  checkedOn: "2026-11-20",
  notes: [
    "Below items the server keeps everything; the table of properties is applied there too, so that one rule holds.",
    "$defs survive at the root but a property's $ref does not: references are inlined.",
  ],
};
