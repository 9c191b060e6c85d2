// Made by hasp from specs/delete_file.tool.yaml. Edits are lost: change the spec and run `hasp build`.

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

/** What a caller may send to `delete_file`. */
export interface DeleteFileArguments {
  /**
   * Path in the workspace
   *
   * A path relative to the workspace's root, with forward slashes.
   *
   * 1 to 1024 characters.
   */
  readonly path: string;
}

/**
 * What the handler of `delete_file` receives: valid, with defaults filled in.
 */
export type DeleteFileInput = DeleteFileArguments;

/** What `delete_file` answers. */
export interface DeleteFileOutput {
  /**
   * Path in the workspace
   *
   * A path relative to the workspace's root, with forward slashes.
   *
   * 1 to 1024 characters.
   */
  readonly path: string;
}

/** What `src/tools/delete-file.ts` exports. */
export interface DeleteFileHandler extends OptionalExports<
  DeleteFileInput,
  AgentContext
> {
  readonly execute: Execute<DeleteFileInput, DeleteFileOutput, AgentContext>;
  readonly insideWorkspace: CustomCheck<DeleteFileInput, AgentContext>;
}

/** The types of `delete_file`, for the registry. */
export interface DeleteFileTypes {
  readonly name: "delete_file";
  readonly arguments: DeleteFileArguments;
  readonly input: DeleteFileInput;
  readonly output: DeleteFileOutput;
  readonly context: AgentContext;
  readonly handler: DeleteFileHandler;
  readonly handlerFile: "src/tools/delete-file.ts";
}

/**
 * Every behavioural fact about `delete_file`; none is left to a default. What
 * varies stands here with its strict value.
 */
export const deleteFileMetadata: ToolMetadata = {
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
  limits: { maxResultSizeChars: 1000, timeoutSeconds: 10, maxRetries: 0 },
};

/** What the model is told. */
const description: string =
  "Delete one file of the workspace for good. Use it only when the user asked for the deletion. Do not use it on folders, or to empty a file: use `write_file` for that.";

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
  },
  required: ["path"],
};

/** For `tools` of Anthropic's Messages API. */
export const anthropic = (): AnthropicTool => ({
  name: "delete_file",
  description,
  input_schema: input,
  strict: false,
  input_examples: [{ path: "notes/old.md" }],
});

/** For `tools` of OpenAI's Responses API. */
export const openaiResponses = (): OpenAIResponsesTool => ({
  type: "function",
  name: "delete_file",
  description,
  parameters: input,
  strict: false,
});

/** For `tools` of OpenAI's Responses API, in strict mode. */
export const openaiResponsesStrict = (): OpenAIResponsesTool => ({
  type: "function",
  name: "delete_file",
  description,
  parameters: input,
  strict: true,
});

/** For `functionDeclarations` in Gemini's `config.tools`. */
export const gemini = (): GeminiTool => ({
  name: "delete_file",
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
    },
    required: ["path"],
  },
});

/** For `functionDeclarations` in Gemini's `config.tools`. */
export const geminiJsonSchema = (): GeminiJsonSchemaTool => ({
  name: "delete_file",
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
    },
    required: ["path"],
    additionalProperties: false,
  },
});

/** For `tools` of an MCP `tools/list` result. */
export const mcp = (): McpTool => ({
  name: "delete_file",
  title: "Delete file",
  description,
  inputSchema: input,
  outputSchema: output,
  annotations: {
    title: "Delete file",
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: false,
  },
});

/** All that the spec of `delete_file` says; only the handler is missing. */
export const deleteFileSpec: ToolSpec<DeleteFileTypes> = {
  name: "delete_file",
  title: "Delete file",
  description,
  owner: "workspace",
  tags: ["files", "write"],
  handlerFile: "src/tools/delete-file.ts",
  metadata: deleteFileMetadata,
  input,
  output,
  validate: [
    {
      that: (input) => !member(input, "path").endsWith("/"),
      message: "name a file, not a folder",
    },
    {
      custom: "insideWorkspace",
    },
  ],
  examples: [{ input: { path: "notes/old.md" } }],
  display: {
    running: "Deleting {path}",
    done: "Deleted {path}",
    failed: "Could not delete {path}",
    rejected: "Deleting {path} was refused",
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
