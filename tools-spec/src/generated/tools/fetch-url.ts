// Made by hasp from specs/fetch_url.tool.yaml. Edits are lost: change the spec and run `hasp build`.

import {
  type AnthropicTool,
  type Execute,
  type GeminiJsonSchemaTool,
  type GeminiTool,
  type McpTool,
  member,
  type ObjectSchema,
  type OpenAIResponsesTool,
  type OptionalExports,
  type ToolMetadata,
  type ToolSpec,
} from "@hasp/runtime/codegen/v1";
import type { AgentContext } from "../../context.js";

/** What a caller may send to `fetch_url`. */
export interface FetchUrlArguments {
  /**
   * An http or https address.
   *
   * Format: uri. 8 to 2000 characters.
   */
  readonly url: string;
  /**
   * The kind of document you want.
   *
   * Default: `"text/html"`.
   */
  readonly accept?: "text/html" | "text/plain" | "application/json";
  /**
   * Most bytes to read of the answer.
   *
   * An integer, at least 1000 and at most 2000000. Default: `200000`.
   */
  readonly maxBytes?: number;
}

/**
 * What the handler of `fetch_url` receives: valid, with defaults filled in.
 */
export interface FetchUrlInput extends FetchUrlArguments {
  /**
   * The kind of document you want.
   *
   * Default: `"text/html"`.
   */
  readonly accept: "text/html" | "text/plain" | "application/json";
  /**
   * Most bytes to read of the answer.
   *
   * An integer, at least 1000 and at most 2000000. Default: `200000`.
   */
  readonly maxBytes: number;
}

/** What `fetch_url` answers. */
export interface FetchUrlOutput {
  /** An integer, at least 100 and at most 599. */
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
  readonly truncated: boolean;
}

/** What `src/tools/fetch-url.ts` exports. */
export interface FetchUrlHandler extends OptionalExports<
  FetchUrlInput,
  AgentContext
> {
  readonly execute: Execute<FetchUrlInput, FetchUrlOutput, AgentContext>;
}

/** The types of `fetch_url`, for the registry. */
export interface FetchUrlTypes {
  readonly name: "fetch_url";
  readonly arguments: FetchUrlArguments;
  readonly input: FetchUrlInput;
  readonly output: FetchUrlOutput;
  readonly context: AgentContext;
  readonly handler: FetchUrlHandler;
  readonly handlerFile: "src/tools/fetch-url.ts";
}

/**
 * Every behavioural fact about `fetch_url`; none is left to a default. What
 * varies stands here with its strict value.
 */
export const fetchUrlMetadata: ToolMetadata = {
  concurrency: { class: "READ_ONLY" },
  behavior: {
    isReadOnly: true,
    isDestructive: false,
    isIdempotent: true,
    isOpenWorld: true,
    requiresPermission: true,
    requiresUserInteraction: false,
    interruptBehavior: "cancel",
    abortsSiblingsOnError: false,
  },
  visibility: { shouldDefer: false, alwaysLoad: false },
  limits: { maxResultSizeChars: 60000, timeoutSeconds: 30, maxRetries: 1 },
};

/** What the model is told. */
const description: string =
  "Fetch a page or document by HTTP GET and return its text. Use it when you have an address. Do not use it to send data anywhere: it has no other method.";

/** What callers may send: flat and closed. */
const input: ObjectSchema = {
  type: "object",
  properties: {
    url: {
      description: "An http or https address.",
      type: "string",
      format: "uri",
      minLength: 8,
      maxLength: 2000,
    },
    accept: {
      description: "The kind of document you want.",
      enum: ["text/html", "text/plain", "application/json"],
      default: "text/html",
    },
    maxBytes: {
      description: "Most bytes to read of the answer.",
      type: "integer",
      minimum: 1000,
      maximum: 2000000,
      default: 200000,
    },
  },
  required: ["url"],
  additionalProperties: false,
};

/** What results hold. */
const output: ObjectSchema = {
  type: "object",
  properties: {
    status: { type: "integer", minimum: 100, maximum: 599 },
    contentType: { type: "string" },
    text: { type: "string" },
    truncated: { type: "boolean" },
  },
  required: ["status", "contentType", "text", "truncated"],
};

/** For `tools` of Anthropic's Messages API. */
export const anthropic = (): AnthropicTool => ({
  name: "fetch_url",
  description,
  input_schema: input,
  strict: false,
  input_examples: [
    { url: "https://example.com/robots.txt", accept: "text/plain" },
  ],
});

/** For `tools` of OpenAI's Responses API. */
export const openaiResponses = (): OpenAIResponsesTool => ({
  type: "function",
  name: "fetch_url",
  description,
  parameters: input,
  strict: false,
});

/** For `tools` of OpenAI's Responses API, in strict mode. */
export const openaiResponsesStrict = (): OpenAIResponsesTool => ({
  type: "function",
  name: "fetch_url",
  description,
  parameters: {
    type: "object",
    properties: {
      url: {
        description: "An http or https address. Format: uri.",
        type: "string",
        minLength: 8,
        maxLength: 2000,
      },
      accept: {
        description: "The kind of document you want.",
        type: ["string", "null"],
        enum: ["text/html", "text/plain", "application/json", null],
        default: "text/html",
      },
      maxBytes: {
        description: "Most bytes to read of the answer.",
        type: ["integer", "null"],
        minimum: 1000,
        maximum: 2000000,
        default: 200000,
      },
    },
    required: ["url", "accept", "maxBytes"],
    additionalProperties: false,
  },
  strict: true,
});

/** For `functionDeclarations` in Gemini's `config.tools`. */
export const gemini = (): GeminiTool => ({
  name: "fetch_url",
  description,
  parameters: {
    type: "OBJECT",
    properties: {
      url: {
        description: "An http or https address. Format: uri.",
        type: "STRING",
        minLength: 8,
        maxLength: 2000,
      },
      accept: {
        description: 'The kind of document you want. Default: "text/html".',
        type: "STRING",
        enum: ["text/html", "text/plain", "application/json"],
      },
      maxBytes: {
        description: "Most bytes to read of the answer. Default: 200000.",
        type: "INTEGER",
        minimum: 1000,
        maximum: 2000000,
      },
    },
    required: ["url"],
  },
});

/** For `functionDeclarations` in Gemini's `config.tools`. */
export const geminiJsonSchema = (): GeminiJsonSchemaTool => ({
  name: "fetch_url",
  description,
  parametersJsonSchema: {
    type: "object",
    properties: {
      url: {
        description:
          "An http or https address. At least 8 characters. At most 2000 characters.",
        type: "string",
        format: "uri",
      },
      accept: {
        description: 'The kind of document you want. Default: "text/html".',
        enum: ["text/html", "text/plain", "application/json"],
      },
      maxBytes: {
        description: "Most bytes to read of the answer. Default: 200000.",
        type: "integer",
        minimum: 1000,
        maximum: 2000000,
      },
    },
    required: ["url"],
    additionalProperties: false,
  },
});

/** For `tools` of an MCP `tools/list` result. */
export const mcp = (): McpTool => ({
  name: "fetch_url",
  title: "Fetch URL",
  description,
  inputSchema: input,
  outputSchema: output,
  annotations: {
    title: "Fetch URL",
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: true,
  },
});

/** All that the spec of `fetch_url` says; only the handler is missing. */
export const fetchUrlSpec: ToolSpec<FetchUrlTypes> = {
  name: "fetch_url",
  title: "Fetch URL",
  description,
  owner: "platform",
  tags: ["network", "read"],
  handlerFile: "src/tools/fetch-url.ts",
  metadata: fetchUrlMetadata,
  input,
  output,
  validate: [
    {
      // prettier-ignore
      that: (input) => member(input, "url").startsWith("https://") || member(input, "url").startsWith("http://"),
      message: "the address must begin with http:// or https://",
    },
  ],
  examples: [
    { input: { url: "https://example.com/robots.txt", accept: "text/plain" } },
  ],
  display: {
    running: "Fetching {url}",
    done: "Fetched {url}",
    failed: "Could not fetch {url}",
    rejected: "Fetching {url} was refused",
  },
  dialects: {
    anthropic: { definition: anthropic },
    "openai-responses": { definition: openaiResponses },
    "openai-responses-strict": {
      codec: {
        kind: "object",
        properties: {
          accept: { absent: "null" },
          maxBytes: { absent: "null" },
        },
      },
      definition: openaiResponsesStrict,
    },
    gemini: { definition: gemini },
    "gemini-json-schema": { definition: geminiJsonSchema },
    mcp: { definition: mcp },
  },
};
