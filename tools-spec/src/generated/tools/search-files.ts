// Made by hasp from specs/search_files.tool.yaml. Edits are lost: change the spec and run `hasp build`.

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

/** What a caller may send to `search_files`. */
export interface SearchFilesArguments {
  /**
   * Most entries to return.
   *
   * An integer, at least 1 and at most 500. Default: `50`.
   */
  readonly limit?: number;
  /**
   * Entries to skip before the first one.
   *
   * An integer, at least 0. Default: `0`.
   */
  readonly offset?: number;
  /**
   * The text to look for, taken literally.
   *
   * 1 to 200 characters.
   */
  readonly text: string;
  /**
   * Glob of the files to look into, such as `src/**\/*.ts`.
   *
   * 1 to 200 characters. Default: `"**\/*"`.
   */
  readonly files?: string;
  /**
   * Whether upper and lower case count as the same.
   *
   * Default: `false`.
   */
  readonly ignoreCase?: boolean;
}

/**
 * What the handler of `search_files` receives: valid, with defaults filled in.
 */
export interface SearchFilesInput extends SearchFilesArguments {
  /**
   * Most entries to return.
   *
   * An integer, at least 1 and at most 500. Default: `50`.
   */
  readonly limit: number;
  /**
   * Entries to skip before the first one.
   *
   * An integer, at least 0. Default: `0`.
   */
  readonly offset: number;
  /**
   * Glob of the files to look into, such as `src/**\/*.ts`.
   *
   * 1 to 200 characters. Default: `"**\/*"`.
   */
  readonly files: string;
  /**
   * Whether upper and lower case count as the same.
   *
   * Default: `false`.
   */
  readonly ignoreCase: boolean;
}

/** What `search_files` answers. */
export interface SearchFilesOutput {
  readonly matches: readonly {
    /**
     * Path in the workspace
     *
     * A path relative to the workspace's root, with forward slashes.
     *
     * 1 to 1024 characters.
     */
    readonly path: string;
    /** An integer, at least 1. */
    readonly line: number;
    readonly text: string;
  }[];
  /**
   * Matches in all pages together.
   *
   * An integer, at least 0.
   */
  readonly total: number;
}

/** What `src/tools/search-files.ts` exports. */
export interface SearchFilesHandler extends OptionalExports<
  SearchFilesInput,
  AgentContext
> {
  readonly execute: Execute<SearchFilesInput, SearchFilesOutput, AgentContext>;
}

/** The types of `search_files`, for the registry. */
export interface SearchFilesTypes {
  readonly name: "search_files";
  readonly arguments: SearchFilesArguments;
  readonly input: SearchFilesInput;
  readonly output: SearchFilesOutput;
  readonly context: AgentContext;
  readonly handler: SearchFilesHandler;
  readonly handlerFile: "src/tools/search-files.ts";
}

/**
 * Every behavioural fact about `search_files`; none is left to a default. What
 * varies stands here with its strict value.
 */
export const searchFilesMetadata: ToolMetadata = {
  concurrency: { class: "READ_ONLY" },
  behavior: {
    isReadOnly: true,
    isDestructive: false,
    isIdempotent: true,
    isOpenWorld: false,
    requiresPermission: false,
    requiresUserInteraction: false,
    interruptBehavior: "cancel",
    abortsSiblingsOnError: false,
  },
  visibility: { shouldDefer: false, alwaysLoad: false },
  limits: { maxResultSizeChars: 40000, timeoutSeconds: 20, maxRetries: 0 },
};

/** What the model is told. */
const description: string =
  "Find lines in the workspace's text files. Use it to locate code or text when you do not know the file. Do not use it to read a whole file: use `read_file`.";

/** What callers may send: flat and closed. */
const input: ObjectSchema = {
  title: "What to look for",
  type: "object",
  properties: {
    limit: {
      description: "Most entries to return.",
      type: "integer",
      minimum: 1,
      maximum: 500,
      default: 50,
    },
    offset: {
      description: "Entries to skip before the first one.",
      type: "integer",
      minimum: 0,
      default: 0,
    },
    text: {
      description: "The text to look for, taken literally.",
      type: "string",
      minLength: 1,
      maxLength: 200,
    },
    files: {
      description: "Glob of the files to look into, such as `src/**/*.ts`.",
      type: "string",
      minLength: 1,
      maxLength: 200,
      default: "**/*",
    },
    ignoreCase: {
      description: "Whether upper and lower case count as the same.",
      type: "boolean",
      default: false,
    },
  },
  required: ["text"],
  additionalProperties: false,
};

/** What results hold. */
const output: ObjectSchema = {
  type: "object",
  properties: {
    matches: {
      type: "array",
      items: {
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
          line: { type: "integer", minimum: 1 },
          text: { type: "string" },
        },
        required: ["path", "line", "text"],
      },
    },
    total: {
      description: "Matches in all pages together.",
      type: "integer",
      minimum: 0,
    },
  },
  required: ["matches", "total"],
};

/** For `tools` of Anthropic's Messages API. */
export const anthropic = (): AnthropicTool => ({
  name: "search_files",
  description,
  input_schema: input,
  strict: false,
  input_examples: [
    { text: "TODO" },
    { text: "createGate", files: "src/**/*.ts", limit: 10 },
  ],
});

/** For `tools` of OpenAI's Responses API. */
export const openaiResponses = (): OpenAIResponsesTool => ({
  type: "function",
  name: "search_files",
  description,
  parameters: input,
  strict: false,
});

/** For `tools` of OpenAI's Responses API, in strict mode. */
export const openaiResponsesStrict = (): OpenAIResponsesTool => ({
  type: "function",
  name: "search_files",
  description,
  parameters: {
    title: "What to look for",
    type: "object",
    properties: {
      limit: {
        description: "Most entries to return.",
        type: ["integer", "null"],
        minimum: 1,
        maximum: 500,
        default: 50,
      },
      offset: {
        description: "Entries to skip before the first one.",
        type: ["integer", "null"],
        minimum: 0,
        default: 0,
      },
      text: {
        description: "The text to look for, taken literally.",
        type: "string",
        minLength: 1,
        maxLength: 200,
      },
      files: {
        description: "Glob of the files to look into, such as `src/**/*.ts`.",
        type: ["string", "null"],
        minLength: 1,
        maxLength: 200,
        default: "**/*",
      },
      ignoreCase: {
        description: "Whether upper and lower case count as the same.",
        type: ["boolean", "null"],
        default: false,
      },
    },
    required: ["limit", "offset", "text", "files", "ignoreCase"],
    additionalProperties: false,
  },
  strict: true,
});

/** For `functionDeclarations` in Gemini's `config.tools`. */
export const gemini = (): GeminiTool => ({
  name: "search_files",
  description,
  parameters: {
    title: "What to look for",
    type: "OBJECT",
    properties: {
      limit: {
        description: "Most entries to return. Default: 50.",
        type: "INTEGER",
        minimum: 1,
        maximum: 500,
      },
      offset: {
        description: "Entries to skip before the first one. Default: 0.",
        type: "INTEGER",
        minimum: 0,
      },
      text: {
        description: "The text to look for, taken literally.",
        type: "STRING",
        minLength: 1,
        maxLength: 200,
      },
      files: {
        description:
          'Glob of the files to look into, such as `src/**/*.ts`. Default: "**/*".',
        type: "STRING",
        minLength: 1,
        maxLength: 200,
      },
      ignoreCase: {
        description:
          "Whether upper and lower case count as the same. Default: false.",
        type: "BOOLEAN",
      },
    },
    required: ["text"],
  },
});

/** For `functionDeclarations` in Gemini's `config.tools`. */
export const geminiJsonSchema = (): GeminiJsonSchemaTool => ({
  name: "search_files",
  description,
  parametersJsonSchema: {
    title: "What to look for",
    type: "object",
    properties: {
      limit: {
        description: "Most entries to return. Default: 50.",
        type: "integer",
        minimum: 1,
        maximum: 500,
      },
      offset: {
        description: "Entries to skip before the first one. Default: 0.",
        type: "integer",
        minimum: 0,
      },
      text: {
        description:
          "The text to look for, taken literally. At least 1 character. At most 200 characters.",
        type: "string",
      },
      files: {
        description:
          'Glob of the files to look into, such as `src/**/*.ts`. Default: "**/*". At least 1 character. At most 200 characters.',
        type: "string",
      },
      ignoreCase: {
        description:
          "Whether upper and lower case count as the same. Default: false.",
        type: "boolean",
      },
    },
    required: ["text"],
    additionalProperties: false,
  },
});

/** For `tools` of an MCP `tools/list` result. */
export const mcp = (): McpTool => ({
  name: "search_files",
  title: "Search files",
  description,
  inputSchema: input,
  outputSchema: output,
  annotations: {
    title: "Search files",
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
});

/**
 * All that the spec of `search_files` says; only the handler is missing.
 */
export const searchFilesSpec: ToolSpec<SearchFilesTypes> = {
  name: "search_files",
  title: "Search files",
  description,
  owner: "workspace",
  tags: ["files", "read"],
  handlerFile: "src/tools/search-files.ts",
  metadata: searchFilesMetadata,
  input,
  output,
  examples: [
    { input: { text: "TODO" } },
    { input: { text: "createGate", files: "src/**/*.ts", limit: 10 } },
  ],
  display: {
    running: "Searching for {text}",
    done: "Searched",
    failed: "Search failed",
    rejected: "Search refused",
  },
  dialects: {
    anthropic: { definition: anthropic },
    "openai-responses": { definition: openaiResponses },
    "openai-responses-strict": {
      codec: {
        kind: "object",
        properties: {
          limit: { absent: "null" },
          offset: { absent: "null" },
          files: { absent: "null" },
          ignoreCase: { absent: "null" },
        },
      },
      definition: openaiResponsesStrict,
    },
    gemini: { definition: gemini },
    "gemini-json-schema": { definition: geminiJsonSchema },
    mcp: { definition: mcp },
  },
};
