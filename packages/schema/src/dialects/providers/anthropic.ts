import { defineDialect, freeShapes, typedShapes, vary } from "../definition/define-dialect.js";
import type { Dialect, FieldRules, NameRule, RequestLimits, Shapes } from "../definition/dialect.js";
import {
  type CompleteKeywordTable,
  keywordTable,
  type KeywordTable,
  subsetVocabulary,
} from "../definition/keyword-table.js";
import { wrapForAnthropic } from "../definition/wire-entries.js";
import type { WireObjectSchema, WireSchema } from "../definition/wire-types.js";

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
const anthropicRequestLimits: RequestLimits = {
  deferredTools: 10_000,
  strictTools: 20,
  optionalProperties: 24,
  unionProperties: 16,
};

/** Marks, deferral and callers (claude-agent-sdk-typescript#432, CLIProxyAPI#4561, claude-code#86743, geode#632). */
const fieldRules: FieldRules = {
  exclusive: [
    ["cache_control", "defer_loading"],
    ["strict", { field: "allowed_callers", begins: "code_execution" }],
  ],
  most: { cache_control: 4 },
};

/** Anthropic's Messages API without strict mode: JSON Schema 2020-12 as prompt text. */
export const anthropic: Dialect = defineDialect({
  id: "anthropic",
  family: "anthropic",
  title: "Anthropic's Messages API.",
  entry: { type: "AnthropicTool", use: "`tools` of Anthropic's Messages API", extraFields: ["cache_control"] },
  confidence: "documented",
  checkedOn: "2026-11-29",
  variants: { strict: "anthropic-strict" },
  propertyName: anthropicPropertyName,
  rootKeywords: anthropicRoot,
  shapes: vary(freeShapes, { repetition: true }),
  limits: anthropicRequestLimits,
  fieldRules,
  deferral: "defer_loading",
  exampleField: "input_examples",
  wrap: wrapForAnthropic,
});

/** The subset that grammar compilation takes; Bedrock documents the same one for its strict mode. */
export const anthropicStrictKeywords: CompleteKeywordTable = keywordTable(
  { keep: ["$ref", "$defs", "const", "additionalProperties", "default"] },
  subsetVocabulary,
);

export const anthropicStrictFormats: readonly string[] = [
  "date-time",
  "time",
  "date",
  "duration",
  "email",
  "hostname",
  "uri",
  "ipv4",
  "ipv6",
  "uuid",
];

/** Every object closed, optional properties allowed, no recursion. */
export const anthropicStrictShapes: Shapes = vary(typedShapes, { closing: "demanded", emptyProperties: "demanded" });

/** Anthropic's Messages API with `strict: true`: the schema is compiled to a grammar and enforced. */
export const anthropicStrict: Dialect = defineDialect({
  id: "anthropic-strict",
  family: "anthropic",
  title: "Anthropic's Messages API, every tool strict.",
  entry: {
    type: "AnthropicTool",
    use: "`tools` of Anthropic's Messages API, in strict mode",
    extraFields: ["cache_control"],
  },
  confidence: "documented",
  checkedOn: "2026-11-20",
  variants: { loose: "anthropic" },
  propertyName: anthropicPropertyName,
  keywords: anthropicStrictKeywords,
  rootKeywords: anthropicRoot,
  formats: anthropicStrictFormats,
  patterns: "simple",
  largestMinItems: 1,
  shapes: vary(anthropicStrictShapes, { repetition: true }),
  limits: anthropicRequestLimits,
  fieldRules,
  deferral: "defer_loading",
  exampleField: "input_examples",
  wrap: wrapForAnthropic,
});
