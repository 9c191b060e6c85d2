import type { JsonObject } from "@hasp/base/json";
import { defineDialect, freeShapes, typedShapes, vary } from "../definition/define-dialect.js";
import type { Dialect, DialectLimits, RequestLimits, Shapes, WireGrammar, WireTool } from "../definition/dialect.js";
import {
  type CompleteKeywordTable,
  keywordTable,
  type KeywordTable,
  subsetVocabulary,
  wholeVocabulary,
} from "../definition/keyword-table.js";
import { wrapForOpenaiChat, wrapForOpenaiResponses } from "../definition/wire-entries.js";
import type { WireSchema } from "../definition/wire-types.js";

/** An entry of `tools` in OpenAI's Chat Completions API: a function. */
export interface OpenAIChatTool {
  type: "function";
  function: { name: string; description: string; parameters: WireSchema; strict: boolean };
}

/** An entry of `tools` in OpenAI's Chat Completions API: a tool that takes free text. */
export interface OpenAIChatTextTool {
  type: "custom";
  custom: {
    name: string;
    description: string;
    format: { type: "text" } | { type: "grammar"; grammar: { syntax: "lark" | "regex"; definition: string } };
  };
}

/**
 * Refused at the root in both modes (langchain-ai/langchainjs#9804, nspady/google-calendar-mcp#39,
 * feigeCode/navop#247).
 */
const openaiRoot: KeywordTable = keywordTable({
  rewrite: ["anyOf", "oneOf"],
  words: ["allOf", "enum", "const", "not"],
  refuse: ["$ref"],
});

/** Everything passes but `propertyNames`, which is refused without strict mode too (vercel/ai#20621). */
const openaiKeywords: CompleteKeywordTable = keywordTable({ words: ["propertyNames"] }, wholeVocabulary);

/** Everything passes, but arrays say their items and the root says its properties. */
const openaiShapes: Shapes = vary(freeShapes, {
  repetition: true,
  items: "demanded",
  emptyProperties: "demanded",
});

const openaiChatRequestLimits: RequestLimits = { tools: 128 };

export const openaiChat: Dialect = defineDialect({
  id: "openai-chat",
  family: "openai",
  title: "OpenAI's Chat Completions API.",
  entry: {
    type: "OpenAIChatTool",
    text: { type: "OpenAIChatTextTool", wrap: wrapTextForOpenaiChat },
    use: "`tools` of OpenAI's Chat Completions API",
  },
  confidence: "documented",
  checkedOn: "2026-11-29",
  variants: { strict: "openai-chat-strict" },
  descriptionLength: 1024,
  keywords: openaiKeywords,
  rootKeywords: openaiRoot,
  shapes: openaiShapes,
  limits: openaiChatRequestLimits,
  wrap: wrapForOpenaiChat,
});

/** The subset of both OpenAI APIs with `strict: true`. */
const openaiStrictKeywords: CompleteKeywordTable = keywordTable(
  {
    // prettier-ignore
    keep: [
      "$ref", "$defs", "const", "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
      "multipleOf", "additionalProperties", "maxItems", "default", "examples", "deprecated", "readOnly", "writeOnly", "$comment",
    ],
  },
  subsetVocabulary,
);

/** Every object closed, every property required, null for what is absent; recursion by bare references. */
const openaiStrictShapes: Shapes = vary(typedShapes, {
  optional: "null",
  closing: "demanded",
  recursion: "references",
  repetition: true,
  emptyProperties: "demanded",
});

/** The formats that OpenAI documents; `uri` is not among them (can1357/oh-my-pi#206). */
const openaiStrictFormats: readonly string[] = [
  "date-time",
  "time",
  "date",
  "duration",
  "email",
  "hostname",
  "ipv4",
  "ipv6",
  "uuid",
];

const openaiStrictLimits: DialectLimits = {
  depth: 10,
  properties: 5000,
  enumValues: 1000,
  nameAndValueLength: 120_000,
  largeEnum: { values: 250, length: 15_000 },
};

export const openaiChatStrict: Dialect = defineDialect({
  id: "openai-chat-strict",
  family: "openai",
  title: "OpenAI's Chat Completions API, every tool strict.",
  entry: {
    type: "OpenAIChatTool",
    text: { type: "OpenAIChatTextTool", wrap: wrapTextForOpenaiChat },
    use: "`tools` of OpenAI's Chat Completions API, in strict mode",
  },
  confidence: "documented",
  checkedOn: "2026-11-20",
  variants: { loose: "openai-chat" },
  descriptionLength: 1024,
  keywords: openaiStrictKeywords,
  rootKeywords: openaiRoot,
  formats: openaiStrictFormats,
  patterns: "no-lookaround",
  shapes: openaiStrictShapes,
  limits: vary(openaiStrictLimits, openaiChatRequestLimits),
  wrap: wrapForOpenaiChat,
});

/** An entry of `tools` in OpenAI's Responses API: a function. */
export interface OpenAIResponsesTool {
  type: "function";
  name: string;
  description: string;
  parameters: WireSchema;
  strict: boolean;
  defer_loading?: boolean;
}

/** An entry of `tools` in OpenAI's Responses API: a tool that takes free text. */
export interface OpenAIResponsesTextTool {
  type: "custom";
  name: string;
  description: string;
  format: { type: "text" } | { type: "grammar"; syntax: "lark" | "regex"; definition: string };
  defer_loading?: boolean;
}

/** An entry of `tools` in OpenAI's Responses API: a group of tools, which calls name beside the tool. */
export interface OpenAINamespaceTool {
  type: "namespace";
  name: string;
  description: string;
  tools: (OpenAIResponsesTool | OpenAIResponsesTextTool)[];
}

export const openaiResponses: Dialect = defineDialect({
  id: "openai-responses",
  family: "openai",
  title: "OpenAI's Responses API.",
  entry: {
    type: "OpenAIResponsesTool",
    text: { type: "OpenAIResponsesTextTool", wrap: wrapTextForOpenaiResponses },
    namespaceType: "OpenAINamespaceTool",
    use: "`tools` of OpenAI's Responses API",
  },
  confidence: "documented",
  checkedOn: "2026-11-29",
  variants: { strict: "openai-responses-strict" },
  keywords: openaiKeywords,
  rootKeywords: openaiRoot,
  shapes: openaiShapes,
  deferral: "defer_loading",
  wrap: wrapForOpenaiResponses,
});

export const openaiResponsesStrict: Dialect = defineDialect({
  id: "openai-responses-strict",
  family: "openai",
  title: "OpenAI's Responses API, every tool strict.",
  entry: {
    type: "OpenAIResponsesTool",
    text: { type: "OpenAIResponsesTextTool", wrap: wrapTextForOpenaiResponses },
    namespaceType: "OpenAINamespaceTool",
    use: "`tools` of OpenAI's Responses API, in strict mode",
  },
  confidence: "documented",
  checkedOn: "2026-11-20",
  variants: { loose: "openai-responses" },
  keywords: openaiStrictKeywords,
  rootKeywords: openaiRoot,
  formats: openaiStrictFormats,
  patterns: "no-lookaround",
  shapes: openaiStrictShapes,
  limits: openaiStrictLimits,
  deferral: "defer_loading",
  wrap: wrapForOpenaiResponses,
});

function wrapTextForOpenaiChat({ name, description, extra }: WireTool, grammar?: WireGrammar): JsonObject {
  const format = grammar === undefined ? { type: "text" } : { type: "grammar", grammar: { ...grammar } };
  return { type: "custom", custom: { name, description, format }, ...extra };
}

function wrapTextForOpenaiResponses(
  { name, description, deferred, extra }: WireTool,
  grammar?: WireGrammar,
): JsonObject {
  const format = grammar === undefined ? { type: "text" } : { type: "grammar", ...grammar };
  return { type: "custom", name, description, format, ...(deferred ? { defer_loading: true } : {}), ...extra };
}
