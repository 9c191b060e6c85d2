import type { DialectId } from "./definition/dialect-id.js";

/** The sources of a dialect's facts. Apart from the dialect: a program that lowers does not load them. */
interface Provenance {
  readonly sources: readonly string[];
  /** Gaps and contradictions of the sources, with the reading that was chosen. */
  readonly notes: readonly string[];
}

const openaiStrict: Provenance = {
  sources: [
    "OpenAI documentation: Structured outputs, supported schemas",
    "openai@7.55.0 src/lib/transform.ts",
    "@openai/agents-core@0.20.0 dist/utils/strictToolSchema.mjs",
    "@ai-sdk/openai@4.0.118 src/normalize-openai-json-schema.ts",
    "langchain-ai/langchainjs#11382",
    "can1357/oh-my-pi#206",
    "can1357/oh-my-pi#209",
    "YourGPT/copilot-sdk#108",
    "SamSaffron/term-llm#180",
    "apexive/odoo-llm#212",
    "mastra-ai/mastra#23321",
  ],
  notes: [
    "minItems and maxItems: documented as accepted; mastra-ai/mastra#23321 reports a refusal.",
    "minLength and maxLength: documented only as unsupported for fine-tuned models, hence taken as accepted.",
    "Type arrays: documented; two peers turn them into anyOf. They are used for scalars with null only.",
    "Azure reportedly takes fewer keywords, at most 100 properties and at most 5 levels.",
  ],
};

/** The sources of the facts about each dialect, by its id. */
export const provenance: { readonly [id in DialectId]: Provenance } = {
  "anthropic-strict": {
    sources: [
      "Anthropic documentation: Structured outputs (copy of 2026-09-20)",
      "@anthropic-ai/sdk@1.10.0 src/lib/transform-json-schema.ts",
      "@ai-sdk/anthropic@4.0.105 src/supports-native-structured-output-schema.ts",
      "BerriAI/litellm#39115",
    ],
    notes: [
      "Keywords that the documentation does not name are taken as refused.",
      "The budgets are those of the documentation; a peer saw failures below them (11 to 13 optional properties).",
      "The case of enum and const strings is not guaranteed.",
      "allOf is documented as accepted; what flattening leaves of it is still put in words, since its branches would have to be closed.",
    ],
  },
  anthropic: {
    sources: [
      "@anthropic-ai/sdk@1.10.0 src/resources/messages/messages.ts",
      "Anthropic documentation: Define tools; Handle tool calls; Tool search tool; Programmatic tool calling",
      "anthropics/claude-code#5973",
      "anthropics/claude-code#79418",
      "ComposioHQ/composio#3500",
      "marianfoo/mcp-sap-docs#51",
      "anthropics/claude-agent-sdk-typescript#432",
      "router-for-me/CLIProxyAPI#4561",
      "anthropics/claude-code#86743",
      "nearai/ironclaw#7274",
    ],
    notes: [
      "At least one tool of a request must not be deferred; the search tool is one.",
      "Names: 128 characters in the newest page, 64 in older ones; 64 is taken.",
      "That every nested keyword of 2020-12 passes rests on the absence of reports.",
      "Recursion is refused where allowed_callers names a code-execution version.",
    ],
  },
  "bedrock-converse-strict": {
    sources: [
      "AWS Bedrock user guide: structured output",
      "BerriAI/litellm#39115",
      "@ai-sdk/amazon-bedrock@5.0.101 src/amazon-bedrock-prepare-tools.ts",
    ],
    notes: [
      "A sample of AWS omits additionalProperties: false although its text demands it; the text is followed.",
      "Whether Anthropic's budgets per request hold is not known; none is applied.",
    ],
  },
  "bedrock-converse": {
    sources: [
      "AWS Bedrock runtime API reference: ToolSpecification",
      "@aws-sdk/client-bedrock-runtime@3.1162.0 dist-types/models/models_0.d.ts",
      "Amazon Nova user guide: Troubleshooting tool calls",
      "pydantic/pydantic-ai#1623",
      "earendil-works/pi#8279",
    ],
    notes: [
      "Behind it stand models of several makers; the rules of Claude are taken for root and top-level keys.",
      "Nova models take only type, properties and required at the root.",
    ],
  },
  "cohere-v2-strict": {
    sources: ["Cohere documentation: Structured Outputs, cohere-ai/cohere-developer-experience@02830ef (2024-11)"],
    notes: [
      "The source is two years old and says what is unsupported, not whether it is refused; it is taken as refused.",
      "Each object needs a required property, so an object without any is taken as refused, also as the input of a tool without parameters.",
      "Strictness is a field of the request, not of the tool.",
    ],
  },
  "cohere-v2": {
    sources: [
      "cohere-ai@8.1.0 api/types/ToolV2Function.d.ts, ToolMessageV2.d.ts",
      "OpenRouterTeam/openrouter-examples#71",
      "agno-agi/agno#3503",
    ],
    notes: ["No rule for names is published; the common one is taken.", "No refusal of a keyword was found."],
  },
  "openai-compatible": {
    sources: [
      "ggml-org/llama.cpp#26930",
      "aebrer/dreb#422",
      "containers/kubernetes-mcp-server#758",
      "usestrix/strix#1088",
      "can1357/oh-my-pi#2270",
      "docker/mcp-gateway#234",
      "NousResearch/hermes-agent#67349",
    ],
    notes: [
      "llama.cpp and LM Studio refuse the whole request for a pattern without both anchors, or with \\S, \\D or \\W.",
      "Groq refuses `required` without the property; DeepSeek a union in a union without a type; Fireworks a node without a type.",
      "References are inlined, since llama.cpp resolves them but LM Studio and hosts in front of other servers may not.",
      "Limits of single hosts (such as 16 tools) are not stated here.",
    ],
  },
  "gemini-json-schema": {
    sources: [
      "@google/genai@3.1.0 dist/genai.d.ts FunctionDeclaration.parametersJsonSchema and responseJsonSchema",
      "@ai-sdk/google@4.0.121 src/google-prepare-tools.ts",
      "vercel/ai#20757",
      "NousResearch/hermes-agent#98928",
      "jeremychone/rust-genai#257",
      "livekit/agents#3135",
      "earendil-works/pi#1399",
    ],
    notes: [
      "The keywords that count are published for responseJsonSchema only; the same list is assumed here.",
      "No refusal of an unknown keyword was found; keywords outside the list are taken as ignored and said in words.",
      "Cycles are documented inside properties that are not required.",
      "Claude models behind Code Assist need the dialect gemini.",
    ],
  },
  gemini: {
    sources: [
      "@google/genai@3.1.0 dist/genai.d.ts Schema, FunctionDeclaration",
      "@google/genai@3.1.0 dist/index.mjs processJsonSchema",
      "@ai-sdk/google@3.0.141 src/convert-json-schema-to-openapi-schema.ts",
      "brainlid/langchain#599",
      "mastra-ai/mastra#17023",
      "CherryHQ/cherry-studio#20939",
      "vercel/ai#19000",
      "agno-agi/agno#2112",
      "iBUHub/AIStudioToAPI#154",
      "anomalyco/opencode#12911",
      "anomalyco/opencode#11888",
      "cline/cline#7339",
      "kaitranntt/ccs#25",
    ],
    notes: [
      "Prefer gemini-json-schema; this field is kept for models and endpoints that lack the other.",
      "Formats: the SDK names more than servers accepted; date-time and the number formats are taken.",
      "default: a field of the SDK type, which a peer strips because it was refused; it is put in words.",
      "enum on numbers: contradictory; they are sent as strings and decoded.",
      "type NULL: listed by the SDK's Type, but refused alone by its processJsonSchema; null alone is sent as a string.",
      "Names: the SDK says 128, server errors 64; 64 is taken.",
      'The whole list has an unpublished bound ("too many states for serving").',
    ],
  },
  "mcp-2025-11-25": {
    sources: [
      "modelcontextprotocol/modelcontextprotocol@b0f60ba5 schema/2025-11-25/schema.ts",
      "@modelcontextprotocol/sdk@1.32.2 dist/esm/types.js",
      "@modelcontextprotocol/core@2.4.0",
      "microsoft/vscode#284536",
    ],
    notes: [
      "The type of the specification lists type, properties and required at the root; the parser keeps other keys.",
    ],
  },
  mcp: {
    sources: [
      "modelcontextprotocol/modelcontextprotocol@b0f60ba5 schema/2026-07-28/schema.ts, docs/specification/2026-07-28",
      "@modelcontextprotocol/sdk@1.32.2 dist/esm/types.js",
      "anthropics/claude-code#10858",
      "microsoft/vscode#284536",
      "microsoft/vscode#257537",
    ],
    notes: [
      "Names may have 128 characters and dots; the common rule is taken, since clients hand them to providers.",
      "Keys of a provider (strict and the like) never stand on the tool; _meta is for those.",
    ],
  },
  mistral: {
    sources: [
      "@mistralai/mistralai@2.7.0 src/models/components/function.ts",
      "Kochava-Studios/witsy#164",
      "nearai/ironclaw#1241",
      "BerriAI/litellm#13389",
      "editor-code-assistant/eca#231",
    ],
    notes: [
      "$id and $schema are refused; flattening leaves neither.",
      "What strict: true demands is not published; it is never asked for.",
    ],
  },
  moonshot: {
    sources: [
      "MoonshotAI/walle docs/mfjs-walle-vs-draft-2020-12.md, docs/validation-principles.md, testdata/validator_cases",
      "vercel/ai#18921",
      "MoonshotAI/kimi-code#2661",
      "can1357/oh-my-pi#5980",
    ],
    notes: [
      "minimum and maximum pass only as whole numbers from 0 on, others are changed without a word: all are put in words.",
      "The limits are those of the API's level; one enum may hold 1,000 values, which is counted over the whole schema here.",
      "120,000 bytes per schema and 500 branches of a union are not checked.",
    ],
  },
  ollama: {
    sources: ["ollama/ollama@fb3076099 api/types.go", "ollama@0.6.4 dist/browser.d.ts"],
    notes: [
      "Below items the server keeps everything; the table of properties is applied there too, so that one rule holds.",
      "$defs survive at the root but a property's $ref does not: references are inlined.",
    ],
  },
  "openai-chat-strict": openaiStrict,
  "openai-chat": {
    sources: [
      "openai/openai-openapi@f85dbe2 FunctionObject",
      "openai@7.55.0 src/resources/shared.ts",
      "langchain-ai/langchainjs#9804",
      "nspady/google-calendar-mcp#39",
      "feigeCode/navop#247",
      "bnb-chain/bnbchain-mcp#68",
      "digitalocean-labs/mcp-digitalocean#265",
      "getsentry/sentry-mcp#106",
      "zed-industries/zed#32946",
      "vercel/ai#20621",
      "mastra-ai/mastra#20977",
    ],
    notes: [
      "The length of a description is known from error reports of 2025 only.",
      "One thread says that root unions pass (windoze95/cantinarr#497); the error text is followed.",
    ],
  },
  "openai-responses-strict": openaiStrict,
  "openai-responses": {
    sources: [
      "openai@7.55.0 src/resources/responses/responses.ts",
      "openai/openai-openapi@f85dbe2 FunctionToolParam, FunctionTool, NamespaceToolParam",
      "OpenAI documentation: Tool search; Function calling",
      "OpenAI cookbook: GPT-5 New Params and Tools (grammars of custom tools)",
      "vercel/ai#20621",
    ],
    notes: [
      "Custom tools take grammars of Lark without lookarounds, lazy repetitions, priorities, templates, %declare and imports but %import common, or regular expressions of Rust. No limit on their size is published.",
      "Plain functions state no limit on names, namespaced ones 128, chat 64; 64 is taken.",
      "The table holds for an explicit strict: false.",
    ],
  },
  "vercel-ai-sdk": {
    sources: [
      "ai@7.0.173 src/prompt/prepare-tools.ts",
      "@ai-sdk/provider-utils@5.0.81 src/schema.ts",
      "@ai-sdk/provider@4.0.38 dist/index.d.ts",
    ],
    notes: ["The entry is data: code that builds a tool set keys it by name and passes inputSchema to jsonSchema()."],
  },
};
