// Made by hasp from specs/ask_user.tool.yaml. Edits are lost: change the spec and run `hasp build`.

import type {
  AnthropicTool,
  Execute,
  GeminiJsonSchemaTool,
  GeminiTool,
  McpTool,
  ObjectSchema,
  OpenAIResponsesTool,
  OptionalExports,
  ToolMetadata,
  ToolSpec,
} from "@hasp/runtime/codegen/v1";
import type { AgentContext } from "../../context.js";

/** What a caller may send to `ask_user`. */
export interface AskUserArguments {
  /**
   * The question, in one sentence.
   *
   * 1 to 500 characters.
   */
  readonly question: string;
  /**
   * Answers to choose from; omit them for a free answer.
   *
   * 2 to 6 items. No item twice.
   */
  readonly choices?: readonly string[];
}

/**
 * What the handler of `ask_user` receives: valid, with defaults filled in.
 */
export type AskUserInput = AskUserArguments;

/** What `ask_user` answers. */
export interface AskUserOutput {
  readonly answer: string;
}

/** What `src/tools/ask-user.ts` exports. */
export interface AskUserHandler extends OptionalExports<
  AskUserInput,
  AgentContext
> {
  readonly execute: Execute<AskUserInput, AskUserOutput, AgentContext>;
}

/** The types of `ask_user`, for the registry. */
export interface AskUserTypes {
  readonly name: "ask_user";
  readonly arguments: AskUserArguments;
  readonly input: AskUserInput;
  readonly output: AskUserOutput;
  readonly context: AgentContext;
  readonly handler: AskUserHandler;
  readonly handlerFile: "src/tools/ask-user.ts";
}

/**
 * Every behavioural fact about `ask_user`; none is left to a default. What
 * varies stands here with its strict value.
 */
export const askUserMetadata: ToolMetadata = {
  concurrency: { class: "WRITE_EXCLUSIVE" },
  behavior: {
    isReadOnly: false,
    isDestructive: false,
    isIdempotent: false,
    isOpenWorld: false,
    requiresPermission: false,
    requiresUserInteraction: true,
    interruptBehavior: "cancel",
    abortsSiblingsOnError: false,
  },
  visibility: { shouldDefer: false, alwaysLoad: true },
  limits: { maxResultSizeChars: 5000, timeoutSeconds: 600, maxRetries: 0 },
};

/** What the model is told. */
const description: string =
  "Ask the user one question and wait for the answer. Use it when you cannot go on without a decision. Do not use it for what another tool can find out.";

/** What callers may send: flat and closed. */
const input: ObjectSchema = {
  type: "object",
  properties: {
    question: {
      description: "The question, in one sentence.",
      type: "string",
      minLength: 1,
      maxLength: 500,
    },
    choices: {
      description: "Answers to choose from; omit them for a free answer.",
      type: "array",
      items: { type: "string", minLength: 1, maxLength: 100 },
      minItems: 2,
      maxItems: 6,
      uniqueItems: true,
    },
  },
  required: ["question"],
  additionalProperties: false,
};

/** What results hold. */
const output: ObjectSchema = {
  type: "object",
  properties: { answer: { type: "string" } },
  required: ["answer"],
};

/** For `tools` of Anthropic's Messages API. */
export const anthropic = (): AnthropicTool => ({
  name: "ask_user",
  description,
  input_schema: input,
  strict: false,
  input_examples: [
    { question: "Which branch should I deploy?", choices: ["main", "staging"] },
  ],
});

/** For `tools` of OpenAI's Responses API. */
export const openaiResponses = (): OpenAIResponsesTool => ({
  type: "function",
  name: "ask_user",
  description,
  parameters: input,
  strict: false,
});

/** For `tools` of OpenAI's Responses API, in strict mode. */
export const openaiResponsesStrict = (): OpenAIResponsesTool => ({
  type: "function",
  name: "ask_user",
  description,
  parameters: {
    type: "object",
    properties: {
      question: {
        description: "The question, in one sentence.",
        type: "string",
        minLength: 1,
        maxLength: 500,
      },
      choices: {
        description:
          "Answers to choose from; omit them for a free answer. No item twice.",
        anyOf: [
          {
            type: "array",
            items: { type: "string", minLength: 1, maxLength: 100 },
            minItems: 2,
            maxItems: 6,
          },
          { type: "null" },
        ],
      },
    },
    required: ["question", "choices"],
    additionalProperties: false,
  },
  strict: true,
});

/** For `functionDeclarations` in Gemini's `config.tools`. */
export const gemini = (): GeminiTool => ({
  name: "ask_user",
  description,
  parameters: {
    type: "OBJECT",
    properties: {
      question: {
        description: "The question, in one sentence.",
        type: "STRING",
        minLength: 1,
        maxLength: 500,
      },
      choices: {
        description:
          "Answers to choose from; omit them for a free answer. No item twice.",
        type: "ARRAY",
        items: { type: "STRING", minLength: 1, maxLength: 100 },
        minItems: 2,
        maxItems: 6,
      },
    },
    required: ["question"],
  },
});

/** For `functionDeclarations` in Gemini's `config.tools`. */
export const geminiJsonSchema = (): GeminiJsonSchemaTool => ({
  name: "ask_user",
  description,
  parametersJsonSchema: {
    type: "object",
    properties: {
      question: {
        description:
          "The question, in one sentence. At least 1 character. At most 500 characters.",
        type: "string",
      },
      choices: {
        description:
          "Answers to choose from; omit them for a free answer. No item twice.",
        type: "array",
        items: {
          description: "At least 1 character. At most 100 characters.",
          type: "string",
        },
        minItems: 2,
        maxItems: 6,
      },
    },
    required: ["question"],
    additionalProperties: false,
  },
});

/** For `tools` of an MCP `tools/list` result. */
export const mcp = (): McpTool => ({
  name: "ask_user",
  title: "Ask the user",
  description,
  inputSchema: input,
  outputSchema: output,
  annotations: {
    title: "Ask the user",
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: false,
  },
});

/** All that the spec of `ask_user` says; only the handler is missing. */
export const askUserSpec: ToolSpec<AskUserTypes> = {
  name: "ask_user",
  title: "Ask the user",
  description,
  owner: "platform",
  tags: ["conversation"],
  handlerFile: "src/tools/ask-user.ts",
  metadata: askUserMetadata,
  input,
  output,
  examples: [
    {
      input: {
        question: "Which branch should I deploy?",
        choices: ["main", "staging"],
      },
    },
  ],
  display: {
    running: "{question}",
    done: "Answered",
    failed: "No answer",
    rejected: "Question refused",
  },
  dialects: {
    anthropic: { definition: anthropic },
    "openai-responses": { definition: openaiResponses },
    "openai-responses-strict": {
      codec: { kind: "object", properties: { choices: { absent: "null" } } },
      definition: openaiResponsesStrict,
    },
    gemini: { definition: gemini },
    "gemini-json-schema": { definition: geminiJsonSchema },
    mcp: { definition: mcp },
  },
};
