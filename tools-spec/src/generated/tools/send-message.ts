// Made by hasp from specs/send_message.tool.yaml. Edits are lost: change the spec and run `hasp build`.

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

/** What a caller may send to `send_message`. */
export interface SendMessageArguments {
  /**
   * The addresses, each once.
   *
   * 1 to 20 items. No item twice.
   */
  readonly to: readonly string[];
  /**
   * The subject line, without line breaks.
   *
   * 1 to 200 characters.
   */
  readonly subject: string;
  /**
   * The text of the message.
   *
   * 1 to 50000 characters.
   */
  readonly body: string;
  /**
   * Further headers by name.
   *
   * At most 10 keys.
   */
  readonly headers?: { readonly [key: string]: string };
}

/**
 * What the handler of `send_message` receives: valid, with defaults filled in.
 */
export type SendMessageInput = SendMessageArguments;

/** What `send_message` answers. */
export interface SendMessageOutput {
  readonly messageId: string;
  readonly accepted: readonly string[];
}

/** What `src/tools/send-message.ts` exports. */
export interface SendMessageHandler extends OptionalExports<
  SendMessageInput,
  AgentContext
> {
  readonly execute: Execute<SendMessageInput, SendMessageOutput, AgentContext>;
}

/** The types of `send_message`, for the registry. */
export interface SendMessageTypes {
  readonly name: "send_message";
  readonly arguments: SendMessageArguments;
  readonly input: SendMessageInput;
  readonly output: SendMessageOutput;
  readonly context: AgentContext;
  readonly handler: SendMessageHandler;
  readonly handlerFile: "src/tools/send-message.ts";
}

/**
 * Every behavioural fact about `send_message`; none is left to a default. What
 * varies stands here with its strict value.
 */
export const sendMessageMetadata: ToolMetadata = {
  concurrency: { class: "WRITE_EXCLUSIVE" },
  behavior: {
    isReadOnly: false,
    isDestructive: true,
    isIdempotent: false,
    isOpenWorld: true,
    requiresPermission: true,
    requiresUserInteraction: false,
    interruptBehavior: "block",
    abortsSiblingsOnError: false,
  },
  visibility: { shouldDefer: false, alwaysLoad: false },
  limits: { maxResultSizeChars: 2000, timeoutSeconds: 30, maxRetries: 0 },
};

/** What the model is told. */
const description: string =
  "Send an e-mail to one or more people. Use it only after the user agreed to the text and to every address. Do not use it to take notes: use `write_file`.";

/** What callers may send: flat and closed. */
const input: ObjectSchema = {
  type: "object",
  properties: {
    to: {
      description: "The addresses, each once.",
      type: "array",
      items: { type: "string", format: "email", maxLength: 254 },
      minItems: 1,
      maxItems: 20,
      uniqueItems: true,
    },
    subject: {
      description: "The subject line, without line breaks.",
      type: "string",
      minLength: 1,
      maxLength: 200,
    },
    body: {
      description: "The text of the message.",
      type: "string",
      minLength: 1,
      maxLength: 50000,
    },
    headers: {
      description: "Further headers by name.",
      type: "object",
      propertyNames: { pattern: "^X-[A-Za-z0-9-]{1,60}$" },
      maxProperties: 10,
      additionalProperties: { type: "string", maxLength: 500 },
    },
  },
  required: ["to", "subject", "body"],
  additionalProperties: false,
};

/** What results hold. */
const output: ObjectSchema = {
  type: "object",
  properties: {
    messageId: { type: "string" },
    accepted: { type: "array", items: { type: "string" } },
  },
  required: ["messageId", "accepted"],
};

/** For `tools` of Anthropic's Messages API. */
export const anthropic = (): AnthropicTool => ({
  name: "send_message",
  description,
  input_schema: input,
  strict: false,
  input_examples: [
    { to: ["ada@example.com"], subject: "Minutes", body: "Here they are." },
  ],
});

/** For `tools` of OpenAI's Responses API. */
export const openaiResponses = (): OpenAIResponsesTool => ({
  type: "function",
  name: "send_message",
  description,
  parameters: input,
  strict: false,
});

/** For `tools` of OpenAI's Responses API, in strict mode. */
export const openaiResponsesStrict = (): OpenAIResponsesTool => ({
  type: "function",
  name: "send_message",
  description,
  parameters: {
    type: "object",
    properties: {
      to: {
        description: "The addresses, each once. No item twice.",
        type: "array",
        items: { type: "string", format: "email", maxLength: 254 },
        minItems: 1,
        maxItems: 20,
      },
      subject: {
        description: "The subject line, without line breaks.",
        type: "string",
        minLength: 1,
        maxLength: 200,
      },
      body: {
        description: "The text of the message.",
        type: "string",
        minLength: 1,
        maxLength: 50000,
      },
      headers: {
        description: "Further headers by name. Each key once.",
        anyOf: [
          {
            type: "array",
            items: {
              type: "object",
              properties: {
                key: { type: "string", pattern: "^X-[A-Za-z0-9-]{1,60}$" },
                value: { type: "string", maxLength: 500 },
              },
              required: ["key", "value"],
              additionalProperties: false,
            },
            maxItems: 10,
          },
          { type: "null" },
        ],
      },
    },
    required: ["to", "subject", "body", "headers"],
    additionalProperties: false,
  },
  strict: true,
});

/** For `functionDeclarations` in Gemini's `config.tools`. */
export const gemini = (): GeminiTool => ({
  name: "send_message",
  description,
  parameters: {
    type: "OBJECT",
    properties: {
      to: {
        description: "The addresses, each once. No item twice.",
        type: "ARRAY",
        items: {
          description: "Format: email.",
          type: "STRING",
          maxLength: 254,
        },
        minItems: 1,
        maxItems: 20,
      },
      subject: {
        description: "The subject line, without line breaks.",
        type: "STRING",
        minLength: 1,
        maxLength: 200,
      },
      body: {
        description: "The text of the message.",
        type: "STRING",
        minLength: 1,
        maxLength: 50000,
      },
      headers: {
        description: "Further headers by name. Each key once.",
        type: "ARRAY",
        items: {
          type: "OBJECT",
          properties: {
            key: { type: "STRING", pattern: "^X-[A-Za-z0-9-]{1,60}$" },
            value: { type: "STRING", maxLength: 500 },
          },
          required: ["key", "value"],
        },
        maxItems: 10,
      },
    },
    required: ["to", "subject", "body"],
  },
});

/** For `functionDeclarations` in Gemini's `config.tools`. */
export const geminiJsonSchema = (): GeminiJsonSchemaTool => ({
  name: "send_message",
  description,
  parametersJsonSchema: {
    type: "object",
    properties: {
      to: {
        description: "The addresses, each once. No item twice.",
        type: "array",
        items: {
          description: "At most 254 characters.",
          type: "string",
          format: "email",
        },
        minItems: 1,
        maxItems: 20,
      },
      subject: {
        description:
          "The subject line, without line breaks. At least 1 character. At most 200 characters.",
        type: "string",
      },
      body: {
        description:
          "The text of the message. At least 1 character. At most 50000 characters.",
        type: "string",
      },
      headers: {
        description:
          'Further headers by name. Each key fits this JSON Schema: {"pattern":"^X-[A-Za-z0-9-]{1,60}$"}. At most 10 properties.',
        type: "object",
        additionalProperties: {
          description: "At most 500 characters.",
          type: "string",
        },
      },
    },
    required: ["to", "subject", "body"],
    additionalProperties: false,
  },
});

/** For `tools` of an MCP `tools/list` result. */
export const mcp = (): McpTool => ({
  name: "send_message",
  title: "Send message",
  description,
  inputSchema: input,
  outputSchema: output,
  annotations: {
    title: "Send message",
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: true,
  },
});

/**
 * All that the spec of `send_message` says; only the handler is missing.
 */
export const sendMessageSpec: ToolSpec<SendMessageTypes> = {
  name: "send_message",
  title: "Send message",
  description,
  owner: "communication",
  tags: ["communication"],
  handlerFile: "src/tools/send-message.ts",
  metadata: sendMessageMetadata,
  input,
  output,
  validate: [
    {
      // prettier-ignore
      that: (input) => !member(input, "subject").includes("\n") && !member(input, "subject").includes("\r"),
      message: "the subject must be one line",
    },
  ],
  needs: { env: ["SMTP_URL"] },
  examples: [
    {
      input: {
        to: ["ada@example.com"],
        subject: "Minutes",
        body: "Here they are.",
      },
    },
  ],
  display: {
    running: "Sending “{subject}”",
    done: "Sent “{subject}”",
    failed: "“{subject}” was not sent",
    rejected: "Sending “{subject}” was refused",
  },
  dialects: {
    anthropic: { definition: anthropic },
    "openai-responses": { definition: openaiResponses },
    "openai-responses-strict": {
      codec: {
        kind: "object",
        properties: { headers: { absent: "null", value: { kind: "pairs" } } },
      },
      definition: openaiResponsesStrict,
    },
    gemini: {
      codec: {
        kind: "object",
        properties: { headers: { value: { kind: "pairs" } } },
      },
      definition: gemini,
    },
    "gemini-json-schema": { definition: geminiJsonSchema },
    mcp: { definition: mcp },
  },
};
