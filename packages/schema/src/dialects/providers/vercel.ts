import { defineDialect } from "../definition/define-dialect.js";
import type { Dialect } from "../definition/dialect.js";
import { wrapForAiSdk } from "../definition/wire-entries.js";
import type { WireSchema } from "../definition/wire-types.js";

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
  checkedOn: "2026-11-20",
  exampleField: "inputExamples",
  wrap: wrapForAiSdk,
});
