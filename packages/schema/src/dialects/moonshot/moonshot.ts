import { wrapForOpenaiChat } from "../definition/wire-entries.js";
import { defineDialect, typedShapes, vary } from "../definition/define-dialect.js";
import type { Dialect, Provenance } from "../definition/dialect.js";
import { keywordTable, subsetVocabulary } from "../definition/keyword-table.js";

/**
 * Moonshot's chat API, which holds tool schemas to a published subset. Its lenient level silently drops or changes what
 * its strictest level refuses, so the strictest one is followed.
 */
export const moonshot: Dialect = defineDialect({
  id: "moonshot",
  family: "moonshot",
  title: "Moonshot's API (Kimi).",
  entry: { type: "OpenAIChatTool", use: "`tools` of Moonshot's chat API" },
  confidence: "documented",
  propertyName: {
    first: "[^/]",
    further: "[^/]",
    maxLength: 1000,
    reserved: ["$defs", "$ref", "anyOf", "required", "additionalProperties"],
    scope: "everywhere",
  },
  keywords: keywordTable(
    {
      keep: ["$ref", "$defs", "minLength", "maxLength", "maxItems", "additionalProperties"],
      words: ["format", "pattern", "patternProperties", "propertyNames"],
    },
    subsetVocabulary,
  ),
  rootKeywords: keywordTable({ rewrite: ["anyOf", "oneOf"], refuse: ["$ref"] }),
  formats: [],
  shapes: vary(typedShapes, {
    nulls: "branch",
    closing: "kept",
    maps: "kept",
    recursion: "references",
    repetition: true,
  }),
  limits: { depth: 30, properties: 3000, enumValues: 1000 },
  wrap: wrapForOpenaiChat,
});

export const provenance: Provenance = {
  sources: [
    "MoonshotAI/walle docs/mfjs-walle-vs-draft-2020-12.md, docs/validation-principles.md, testdata/validator_cases",
    "vercel/ai#18921",
    "MoonshotAI/kimi-code#2661",
    "can1357/oh-my-pi#5980",
  ],
  checkedOn: "2026-11-29",
  notes: [
    "minimum and maximum pass only as whole numbers from 0 on, others are changed without a word: all are put in words.",
    "The limits are those of the API's level; one enum may hold 1,000 values, which is counted over the whole schema here.",
    "120,000 bytes per schema and 500 branches of a union are not checked.",
  ],
};
