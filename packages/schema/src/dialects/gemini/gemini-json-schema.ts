import { wrapForGeminiJsonSchema } from "../definition/wire-entries.js";
import type { WireSchema } from "../definition/wire-types.js";
import { defineDialect, vary, freeShapes } from "../definition/define-dialect.js";
import type { Dialect, Provenance } from "../definition/dialect.js";
import { keywordTable, subsetVocabulary } from "../definition/keyword-table.js";
import { geminiRequestLimits } from "./gemini.js";

/** An entry of `functionDeclarations` in Gemini's API, with a JSON Schema. */
export interface GeminiJsonSchemaTool {
  name: string;
  description: string;
  parametersJsonSchema?: WireSchema;
}

/** Gemini's `functionDeclarations[].parametersJsonSchema`: ordinary JSON Schema, of which some keywords count. */
export const geminiJsonSchema: Dialect = defineDialect({
  id: "gemini-json-schema",
  family: "gemini",
  title: "Google's Gemini API, JSON Schema.",
  entry: { type: "GeminiJsonSchemaTool", use: "`functionDeclarations` in Gemini's `config.tools`" },
  confidence: "unverified",
  toolName: { first: "[A-Za-z_]", further: "[A-Za-z0-9_.:-]", maxLength: 64 },
  keywords: keywordTable(
    {
      keep: ["$ref", "$defs", "minimum", "maximum", "additionalProperties", "prefixItems", "maxItems"],
      rewrite: ["exclusiveMinimum", "exclusiveMaximum"],
      words: ["pattern", "patternProperties", "propertyNames"],
    },
    subsetVocabulary,
  ),
  shapes: vary(freeShapes, { repetition: true, enums: "scalars", referenceSiblings: false, booleanProperties: false }),
  limits: geminiRequestLimits,
  wrap: wrapForGeminiJsonSchema,
});

export const provenance: Provenance = {
  sources: [
    "@google/genai@3.1.0 dist/genai.d.ts FunctionDeclaration.parametersJsonSchema and responseJsonSchema",
    "@ai-sdk/google@4.0.121 src/google-prepare-tools.ts",
    "vercel/ai#20757",
    "NousResearch/hermes-agent#98928",
    "jeremychone/rust-genai#257",
    "livekit/agents#3135",
    "earendil-works/pi#1399",
  ],
  checkedOn: "2026-11-29",
  notes: [
    "The keywords that count are published for responseJsonSchema only; the same list is assumed here.",
    "No refusal of an unknown keyword was found; keywords outside the list are taken as ignored and said in words.",
    "Cycles are documented inside properties that are not required.",
    "Claude models behind Code Assist need the dialect gemini.",
  ],
};
