// Made by hasp from specs/read_file.tool.yaml. Edits are lost: change the spec and run `hasp build`.

import {
  type AnthropicTool,
  type CustomCheck,
  type Execute,
  type GeminiJsonSchemaTool,
  type GeminiTool,
  hasMember,
  type McpTool,
  member,
  type ObjectSchema,
  type OpenAIResponsesTool,
  type OptionalExports,
  type ToolMetadata,
  type ToolSpec,
} from "@hasp/runtime/codegen/v1";
import type { AgentContext } from "../../context.js";
import type { LineRange } from "../types.js";

/** What a caller may send to `read_file`. */
export interface ReadFileArguments {
  /**
   * Path in the workspace
   *
   * A path relative to the workspace's root, with forward slashes.
   *
   * 1 to 1024 characters.
   */
  readonly path: string;
  /**
   * Range of lines
   *
   * The first and the last line, counted from 1, both included.
   */
  readonly lines?: LineRange;
}

/**
 * What the handler of `read_file` receives: valid, with defaults filled in.
 */
export type ReadFileInput = ReadFileArguments;

/** What `read_file` answers. */
export interface ReadFileOutput {
  /**
   * Path in the workspace
   *
   * A path relative to the workspace's root, with forward slashes.
   *
   * 1 to 1024 characters.
   */
  readonly path: string;
  readonly text: string;
  /** An integer, at least 0. */
  readonly lineCount: number;
}

/** What `src/tools/read-file.ts` exports. */
export interface ReadFileHandler extends OptionalExports<
  ReadFileInput,
  AgentContext
> {
  readonly execute: Execute<ReadFileInput, ReadFileOutput, AgentContext>;
  readonly insideWorkspace: CustomCheck<ReadFileInput, AgentContext>;
}

/** The types of `read_file`, for the registry. */
export interface ReadFileTypes {
  readonly name: "read_file";
  readonly arguments: ReadFileArguments;
  readonly input: ReadFileInput;
  readonly output: ReadFileOutput;
  readonly context: AgentContext;
  readonly handler: ReadFileHandler;
  readonly handlerFile: "src/tools/read-file.ts";
}

/**
 * Every behavioural fact about `read_file`; none is left to a default. What
 * varies stands here with its strict value.
 */
export const readFileMetadata: ToolMetadata = {
  concurrency: { class: "READ_ONLY" },
  behavior: {
    isReadOnly: true,
    isDestructive: false,
    isIdempotent: true,
    isOpenWorld: false,
    requiresPermission: false,
    requiresUserInteraction: false,
    interruptBehavior: "block",
    abortsSiblingsOnError: false,
  },
  visibility: { shouldDefer: false, alwaysLoad: false },
  limits: {
    maxResultSizeChars: "unlimited",
    timeoutSeconds: 10,
    maxRetries: 0,
  },
};

/** What the model is told. */
const description: string =
  "Read a text file of the workspace, whole or a range of lines. Use it when you know the path. Do not use it to find a file: use `search_files`.";

/** What callers may send: flat and closed. */
const input: ObjectSchema = {
  type: "object",
  properties: {
    path: {
      title: "Path in the workspace",
      description:
        "A path relative to the workspace's root, with forward slashes.",
      type: "string",
      minLength: 1,
      maxLength: 1024,
    },
    lines: {
      title: "Range of lines",
      description:
        "The first and the last line, counted from 1, both included.",
      type: "object",
      properties: {
        first: {
          description: "First line to return.",
          type: "integer",
          minimum: 1,
        },
        last: {
          description:
            "Last line to return; omit it to read to the end of the file.",
          type: "integer",
          minimum: 1,
        },
      },
      required: ["first"],
      additionalProperties: false,
    },
  },
  required: ["path"],
  additionalProperties: false,
};

/** What results hold. */
const output: ObjectSchema = {
  type: "object",
  properties: {
    path: {
      title: "Path in the workspace",
      description:
        "A path relative to the workspace's root, with forward slashes.",
      type: "string",
      minLength: 1,
      maxLength: 1024,
    },
    text: { type: "string" },
    lineCount: { type: "integer", minimum: 0 },
  },
  required: ["path", "text", "lineCount"],
};

/** For `tools` of Anthropic's Messages API. */
export const anthropic = (): AnthropicTool => ({
  name: "read_file",
  description,
  input_schema: input,
  strict: false,
  input_examples: [
    { path: "README.md" },
    { path: "src/index.ts", lines: { first: 1, last: 40 } },
  ],
});

/** For `tools` of OpenAI's Responses API. */
export const openaiResponses = (): OpenAIResponsesTool => ({
  type: "function",
  name: "read_file",
  description,
  parameters: input,
  strict: false,
});

/** For `tools` of OpenAI's Responses API, in strict mode. */
export const openaiResponsesStrict = (): OpenAIResponsesTool => ({
  type: "function",
  name: "read_file",
  description,
  parameters: {
    type: "object",
    properties: {
      path: {
        title: "Path in the workspace",
        description:
          "A path relative to the workspace's root, with forward slashes.",
        type: "string",
        minLength: 1,
        maxLength: 1024,
      },
      lines: {
        title: "Range of lines",
        description:
          "The first and the last line, counted from 1, both included.",
        anyOf: [
          {
            type: "object",
            properties: {
              first: {
                description: "First line to return.",
                type: "integer",
                minimum: 1,
              },
              last: {
                description:
                  "Last line to return; omit it to read to the end of the file.",
                type: ["integer", "null"],
                minimum: 1,
              },
            },
            required: ["first", "last"],
            additionalProperties: false,
          },
          { type: "null" },
        ],
      },
    },
    required: ["path", "lines"],
    additionalProperties: false,
  },
  strict: true,
});

/** For `functionDeclarations` in Gemini's `config.tools`. */
export const gemini = (): GeminiTool => ({
  name: "read_file",
  description,
  parameters: {
    type: "OBJECT",
    properties: {
      path: {
        title: "Path in the workspace",
        description:
          "A path relative to the workspace's root, with forward slashes.",
        type: "STRING",
        minLength: 1,
        maxLength: 1024,
      },
      lines: {
        title: "Range of lines",
        description:
          "The first and the last line, counted from 1, both included.",
        type: "OBJECT",
        properties: {
          first: {
            description: "First line to return.",
            type: "INTEGER",
            minimum: 1,
          },
          last: {
            description:
              "Last line to return; omit it to read to the end of the file.",
            type: "INTEGER",
            minimum: 1,
          },
        },
        required: ["first"],
      },
    },
    required: ["path"],
  },
});

/** For `functionDeclarations` in Gemini's `config.tools`. */
export const geminiJsonSchema = (): GeminiJsonSchemaTool => ({
  name: "read_file",
  description,
  parametersJsonSchema: {
    type: "object",
    properties: {
      path: {
        title: "Path in the workspace",
        description:
          "A path relative to the workspace's root, with forward slashes. At least 1 character. At most 1024 characters.",
        type: "string",
      },
      lines: {
        title: "Range of lines",
        description:
          "The first and the last line, counted from 1, both included.",
        type: "object",
        properties: {
          first: {
            description: "First line to return.",
            type: "integer",
            minimum: 1,
          },
          last: {
            description:
              "Last line to return; omit it to read to the end of the file.",
            type: "integer",
            minimum: 1,
          },
        },
        required: ["first"],
        additionalProperties: false,
      },
    },
    required: ["path"],
    additionalProperties: false,
  },
});

/** For `tools` of an MCP `tools/list` result. */
export const mcp = (): McpTool => ({
  name: "read_file",
  title: "Read file",
  description,
  inputSchema: input,
  outputSchema: output,
  annotations: {
    title: "Read file",
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
});

/** All that the spec of `read_file` says; only the handler is missing. */
export const readFileSpec: ToolSpec<ReadFileTypes> = {
  name: "read_file",
  title: "Read file",
  description,
  owner: "workspace",
  tags: ["files", "read"],
  handlerFile: "src/tools/read-file.ts",
  metadata: readFileMetadata,
  input,
  output,
  validate: [
    {
      // prettier-ignore
      that: (input) => !hasMember(input, "lines") || !hasMember(input, "lines", "last") || member(input, "lines", "first") <= member(input, "lines", "last"),
      message: "the first line must not be after the last",
    },
    {
      custom: "insideWorkspace",
    },
  ],
  examples: [
    { input: { path: "README.md" } },
    { input: { path: "src/index.ts", lines: { first: 1, last: 40 } } },
  ],
  display: {
    running: "Reading {path}",
    done: "Read {path}",
    failed: "Could not read {path}",
    rejected: "Reading {path} was refused",
  },
  dialects: {
    anthropic: { definition: anthropic },
    "openai-responses": { definition: openaiResponses },
    "openai-responses-strict": {
      codec: {
        kind: "object",
        properties: {
          lines: {
            absent: "null",
            value: { kind: "object", properties: { last: { absent: "null" } } },
          },
        },
      },
      definition: openaiResponsesStrict,
    },
    gemini: { definition: gemini },
    "gemini-json-schema": { definition: geminiJsonSchema },
    mcp: { definition: mcp },
  },
};
