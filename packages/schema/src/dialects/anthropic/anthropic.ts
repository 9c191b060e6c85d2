import { wrapForAnthropic } from "../definition/wire-entries.js";
import type { WireObjectSchema, WireSchema } from "../definition/wire-types.js";
import { defineDialect, vary, freeShapes } from "../definition/define-dialect.js";
import type { Dialect, NameRule, Provenance, RequestLimits } from "../definition/dialect.js";
import { keywordTable, type KeywordTable } from "../definition/keyword-table.js";

export interface AnthropicTool {
  name: string;
  description: string;
  input_schema: WireObjectSchema;
  strict: boolean;
  defer_loading?: boolean;
  input_examples?: WireSchema[];
  cache_control?: { type: "ephemeral"; ttl?: "5m" | "1h" } | null;
}

/** The root takes no union or conjunction in either mode (anthropics/claude-code#5973, marianfoo/mcp-sap-docs#51). */
export const anthropicRoot: KeywordTable = keywordTable({
  rewrite: ["anyOf", "oneOf"],
  words: ["allOf"],
  refuse: ["$ref"],
});

/** Checked at the root only; one bad key fails the request (anthropics/claude-code#79418, ComposioHQ/composio#3500). */
export const anthropicPropertyName: NameRule & { readonly scope: "root" } = {
  first: "[A-Za-z0-9_.-]",
  further: "[A-Za-z0-9_.-]",
  maxLength: 64,
  scope: "root",
};

/** The limits of one request: its deferred catalogue, and the grammar that all strict tools share. */
export const anthropicRequestLimits: RequestLimits = {
  deferredTools: 10_000,
  strictTools: 20,
  optionalProperties: 24,
  unionProperties: 16,
};

/** Anthropic's Messages API without strict mode: JSON Schema 2020-12 as prompt text. */
export const anthropic: Dialect = defineDialect({
  id: "anthropic",
  family: "anthropic",
  title: "Anthropic's Messages API.",
  entry: { type: "AnthropicTool", use: "`tools` of Anthropic's Messages API", extraFields: ["cache_control"] },
  confidence: "documented",
  variants: { strict: "anthropic-strict" },
  propertyName: anthropicPropertyName,
  rootKeywords: anthropicRoot,
  shapes: vary(freeShapes, { repetition: true }),
  limits: anthropicRequestLimits,
  wrap: wrapForAnthropic,
});

export const provenance: Provenance = {
  sources: [
    "@anthropic-ai/sdk@1.10.0 src/resources/messages/messages.ts",
    "Anthropic documentation: Define tools; Handle tool calls; Tool search tool; Programmatic tool calling",
    "anthropics/claude-code#5973",
    "anthropics/claude-code#79418",
    "ComposioHQ/composio#3500",
    "marianfoo/mcp-sap-docs#51",
  ],
  checkedOn: "2026-11-20",
  notes: [
    "Names: 128 characters in the newest page, 64 in older ones; 64 is taken.",
    "That every nested keyword of 2020-12 passes rests on the absence of reports.",
    "Recursion is refused where allowed_callers names a code-execution version.",
  ],
};
