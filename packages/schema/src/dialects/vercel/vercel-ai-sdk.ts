import { wrapForAiSdk } from "../definition/wire-entries.js";
import type { WireSchema } from "../definition/wire-types.js";
import { defineDialect } from "../definition/define-dialect.js";
import type { Dialect, Provenance } from "../definition/dialect.js";

/** The parameter of the AI SDK's `tool()`, with the schema still to be wrapped in `jsonSchema()`. */
export interface VercelTool {
  name: string;
  description: string;
  inputSchema: WireSchema;
  strict: boolean;
  inputExamples?: { input: WireSchema }[];
  providerOptions?: WireSchema;
}

/** The AI SDK: `jsonSchema()` hands the schema on untouched, and the provider's package decides the rest. */
export const vercelAiSdk: Dialect = defineDialect({
  id: "vercel-ai-sdk",
  family: "vercel",
  title: "Vercel's AI SDK.",
  entry: { type: "VercelTool", use: "the AI SDK, by name: wrap each `inputSchema` in `jsonSchema()`" },
  confidence: "documented",
  wrap: wrapForAiSdk,
});

export const provenance: Provenance = {
  sources: [
    "ai@7.0.173 src/prompt/prepare-tools.ts",
    "@ai-sdk/provider-utils@5.0.81 src/schema.ts",
    "@ai-sdk/provider@4.0.38 dist/index.d.ts",
  ],
  checkedOn: "2026-11-20",
  notes: ["The entry is data: whoever builds the tool set keys it by name and passes inputSchema to jsonSchema()."],
};
