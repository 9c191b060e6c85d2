// Made by hasp from specs/write_file.tool.yaml. Edits are lost: change the spec and run `hasp build`.

import {
  type AnthropicTool,
  type CustomCheck,
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
import type { Written } from "../types.js";

/** What a caller may send to `write_file`. */
export interface WriteFileArguments {
  /**
   * Path in the workspace
   *
   * A path relative to the workspace's root, with forward slashes.
   *
   * 1 to 1024 characters.
   */
  readonly path: string;
  /**
   * The new content of the file.
   *
   * At most 1000000 characters.
   */
  readonly text: string;
  /** create fails if the file exists already. */
  readonly mode: "create" | "replace";
}

/**
 * What the handler of `write_file` receives: valid, with defaults filled in.
 */
export type WriteFileInput = WriteFileArguments;

/** What `write_file` answers. */
export type WriteFileOutput = Written;

/** What `src/tools/write-file.ts` exports. */
export interface WriteFileHandler extends OptionalExports<
  WriteFileInput,
  AgentContext
> {
  readonly execute: Execute<WriteFileInput, WriteFileOutput, AgentContext>;
  readonly insideWorkspace: CustomCheck<WriteFileInput, AgentContext>;
}

/** The types of `write_file`, for the registry. */
export interface WriteFileTypes {
  readonly name: "write_file";
  readonly arguments: WriteFileArguments;
  readonly input: WriteFileInput;
  readonly output: WriteFileOutput;
  readonly context: AgentContext;
  readonly handler: WriteFileHandler;
  readonly handlerFile: "src/tools/write-file.ts";
}

/**
 * Every behavioural fact about `write_file`; none is left to a default. What
 * varies stands here with its strict value.
 */
export const writeFileMetadata: ToolMetadata = {
  concurrency: { class: "WRITE_EXCLUSIVE" },
  behavior: {
    isReadOnly: false,
    isDestructive: true,
    isIdempotent: false,
    isOpenWorld: false,
    requiresPermission: true,
    requiresUserInteraction: false,
    interruptBehavior: "block",
    abortsSiblingsOnError: false,
  },
  visibility: { shouldDefer: false, alwaysLoad: false },
  limits: { maxResultSizeChars: 2000, timeoutSeconds: 10, maxRetries: 0 },
};

/** What the model is told. */
const description: string =
  "Write a whole text file in the workspace. Use it to create a file or to replace one on purpose. Do not use it for a notebook: use `edit_notebook`.";

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
    text: {
      description: "The new content of the file.",
      type: "string",
      maxLength: 1000000,
    },
    mode: {
      description: "create fails if the file exists already.",
      enum: ["create", "replace"],
    },
  },
  required: ["path", "text", "mode"],
  additionalProperties: false,
};

/** What results hold. */
const output: ObjectSchema = {
  title: "Outcome of a write",
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
    bytes: {
      description: "Size of the file after the write.",
      type: "integer",
      minimum: 0,
    },
    created: { description: "Whether the file is new.", type: "boolean" },
  },
  required: ["path", "bytes", "created"],
};

/** For `tools` of Anthropic's Messages API. */
export const anthropic = (): AnthropicTool => ({
  name: "write_file",
  description,
  input_schema: input,
  strict: false,
  input_examples: [
    { path: "notes/today.md", text: "# Today\n", mode: "create" },
  ],
});

/** For `tools` of OpenAI's Responses API. */
export const openaiResponses = (): OpenAIResponsesTool => ({
  type: "function",
  name: "write_file",
  description,
  parameters: input,
  strict: false,
});

/** For `tools` of OpenAI's Responses API, in strict mode. */
export const openaiResponsesStrict = (): OpenAIResponsesTool => ({
  type: "function",
  name: "write_file",
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
      text: {
        description: "The new content of the file.",
        type: "string",
        maxLength: 1000000,
      },
      mode: {
        description: "create fails if the file exists already.",
        type: "string",
        enum: ["create", "replace"],
      },
    },
    required: ["path", "text", "mode"],
    additionalProperties: false,
  },
  strict: true,
});

/** For `functionDeclarations` in Gemini's `config.tools`. */
export const gemini = (): GeminiTool => ({
  name: "write_file",
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
      text: {
        description: "The new content of the file.",
        type: "STRING",
        maxLength: 1000000,
      },
      mode: {
        description: "create fails if the file exists already.",
        type: "STRING",
        enum: ["create", "replace"],
      },
    },
    required: ["path", "text", "mode"],
  },
});

/** For `functionDeclarations` in Gemini's `config.tools`. */
export const geminiJsonSchema = (): GeminiJsonSchemaTool => ({
  name: "write_file",
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
      text: {
        description: "The new content of the file. At most 1000000 characters.",
        type: "string",
      },
      mode: {
        description: "create fails if the file exists already.",
        enum: ["create", "replace"],
      },
    },
    required: ["path", "text", "mode"],
    additionalProperties: false,
  },
});

/** For `tools` of an MCP `tools/list` result. */
export const mcp = (): McpTool => ({
  name: "write_file",
  title: "Write file",
  description,
  inputSchema: input,
  outputSchema: output,
  annotations: {
    title: "Write file",
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: false,
  },
});

/** All that the spec of `write_file` says; only the handler is missing. */
export const writeFileSpec: ToolSpec<WriteFileTypes> = {
  name: "write_file",
  title: "Write file",
  description,
  owner: "workspace",
  tags: ["files", "write"],
  handlerFile: "src/tools/write-file.ts",
  metadata: writeFileMetadata,
  input,
  output,
  rules: [
    {
      when: (input) => member(input, "mode") === "create",
      class: "WRITE_EXCLUSIVE",
      isDestructive: false,
    },
  ],
  validate: [
    {
      custom: "insideWorkspace",
    },
  ],
  examples: [
    { input: { path: "notes/today.md", text: "# Today\n", mode: "create" } },
  ],
  display: {
    running: "Writing {path}",
    done: "Wrote {path}",
    failed: "Could not write {path}",
    rejected: "Writing {path} was refused",
  },
  dialects: {
    anthropic: { definition: anthropic },
    "openai-responses": { definition: openaiResponses },
    "openai-responses-strict": { definition: openaiResponsesStrict },
    gemini: { definition: gemini },
    "gemini-json-schema": { definition: geminiJsonSchema },
    mcp: { definition: mcp },
  },
};
