import type { DialectId } from "./definition/dialect-id.js";

/** The sources of a dialect's facts. Apart from the dialect: a program that lowers does not load them. */
interface Provenance {
  readonly sources: readonly string[];
  /** Gaps and contradictions of the sources, with the reading that was chosen. */
  readonly notes: readonly string[];
  /** Facts besides the table, often about single models, with their sources and the day they were reported or read. */
  readonly facts?: readonly (readonly [fact: string, source: string, date: string])[];
}

const ofGemini: Provenance["facts"] = [
  ["A request that forces a call may have a sum of maxItems of about 960; the text of enums and the size of the list are limited, too, at no published value.", "googleapis/python-genai#2170, googleapis/python-genai#2133, googleapis/python-genai#2293", "2026-11-28"],
  ["Gemini 3.5 and later refuse a result without the id of its call; Vertex takes ids, too.", "ShinChven/remix-studio#35, BerriAI/litellm#34603", "2026-08-02"],
];

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
    facts: [
      ["The size of a grammar differs by model: 13 tools fail on Claude Sonnet 4.6 and pass on Claude Sonnet 5.", "alphaXiv/agents#49", "2026-11-28"],
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
    ],
    notes: [
      "Names: 128 characters in the newest page, 64 in older ones; 64 is taken.",
      "That every nested keyword of 2020-12 passes rests on the absence of reports.",
      "Recursion is refused where allowed_callers names a code-execution version.",
    ],
    facts: [
      ["A request takes at most four cache marks.", "anthropics/claude-agent-sdk-typescript#432", "2026-08-28"],
      ["A deferred tool takes no cache mark.", "router-for-me/CLIProxyAPI#4561, anthropics/claude-code#86743", "2026-11-28"],
      ["At least one tool of a request must not be deferred; the search tool is one.", "nearai/ironclaw#7274", "2026-11-28"],
      ["Calls of Anthropic's own toolsets, such as browser_toolset_20260801, carry toolset_name, and so must their results.", "langchain-ai/langchain#40756, @anthropic-ai/sdk@1.14.0", "2026-11-28"],
      ["Integers beyond 64 bits in a schema are refused.", "RevenueCat/ai-toolkit#26", "2026-11-28"],
      ["Claude Haiku 4.5 refuses allowed_callers that name a code-execution version.", "mangowhoiscloud/geode#632", "2026-11-28"],
      ["Claude Fable 5.1 refuses a tool_choice that forces a call.", "experientiallabs/experiential#804", "2026-09-05"],
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
      "containers/kubernetes-mcp-server#758",
      "NousResearch/hermes-agent#67349",
    ],
    notes: [
      "References are inlined, since llama.cpp resolves them but LM Studio and hosts in front of other servers may not.",
    ],
    facts: [
      ["llama.cpp and LM Studio refuse the whole request for a pattern without both anchors, or with \\S, \\D or \\W.", "ggml-org/llama.cpp#26930, aebrer/dreb#422", "2026-11-28"],
      ["Groq refuses required without the property, and open objects for some models; its models write null for what they leave out.", "usestrix/strix#1088, eigent-ai/eigent#1786, vierisid/jarvis#199", "2026-11-28"],
      ["DeepSeek V4 refuses a union in a union without a type.", "can1357/oh-my-pi#2270", "2026-11-28"],
      ["Fireworks refuses a node without a type.", "docker/mcp-gateway#234", "2026-11-28"],
      ["A hosted gateway takes 16 tools, 128 properties and no bounds of numbers; limits in the configuration say so.", "anomalyco/opencode#43378, anomalyco/opencode#43371", "2026-08-19"],
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
    facts: ofGemini,
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
    facts: ofGemini,
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
    facts: [
      ["The response format json_schema with strict works on all models.", "mnfst/modelparams.dev#233", "2026-08-17"],
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
      "mastra-ai/mastra#20977",
    ],
    notes: [
      "The length of a description is known from error reports of 2025 only.",
      "One thread says that root unions pass (windoze95/cantinarr#497); the error text is followed.",
    ],
    facts: [
      ["propertyNames is refused, also where nothing is strict.", "vercel/ai#20621", "2026-11-28"],
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
    facts: [
      ["The hosted tool_search needs a deferred tool, and a deferred tool needs it.", "pydantic/pydantic-ai#5230, Wei-Shaw/sub2api#5942", "2026-11-28"],
      ["A call of a deferred tool is sent back with its namespace.", "earendil-works/pi#7709, github/copilot-cli#4519", "2026-11-28"],
      ["A call that a program makes carries caller, and so must its output.", "vercel/ai#17790, openai@7.59.0", "2026-11-28"],
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
