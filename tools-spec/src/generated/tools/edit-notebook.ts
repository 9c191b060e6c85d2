// Made by hasp from specs/edit_notebook.tool.yaml. Edits are lost: change the spec and run `hasp build`.

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

/** What a caller may send to `edit_notebook`. */
export interface EditNotebookArguments {
  /**
   * Path in the workspace
   *
   * A path relative to the workspace's root, with forward slashes.
   *
   * 1 to 1024 characters.
   */
  readonly path: string;
  /** What to do to which cell. Cells are counted from 0. */
  readonly change:
    | {
        readonly action: "replace";
        /**
         * The cell to replace.
         *
         * An integer, at least 0.
         */
        readonly cell: number;
        /**
         * The new text of the cell.
         *
         * At most 200000 characters.
         */
        readonly source: string;
      }
    | {
        readonly action: "insert";
        /**
         * The cell that will follow the new one.
         *
         * An integer, at least 0.
         */
        readonly before: number;
        /** Kind of the new cell. */
        readonly kind: "code" | "markdown";
        /**
         * The text of the new cell.
         *
         * At most 200000 characters.
         */
        readonly source: string;
      }
    | {
        readonly action: "delete";
        /**
         * The cell to delete.
         *
         * An integer, at least 0.
         */
        readonly cell: number;
      };
}

/**
 * What the handler of `edit_notebook` receives: valid, with defaults filled
 * in.
 */
export type EditNotebookInput = EditNotebookArguments;

/** What `edit_notebook` answers. */
export type EditNotebookOutput = Written;

/** What `src/tools/edit-notebook.ts` exports. */
export interface EditNotebookHandler extends OptionalExports<
  EditNotebookInput,
  AgentContext
> {
  readonly execute: Execute<
    EditNotebookInput,
    EditNotebookOutput,
    AgentContext
  >;
  readonly insideWorkspace: CustomCheck<EditNotebookInput, AgentContext>;
}

/** The types of `edit_notebook`, for the registry. */
export interface EditNotebookTypes {
  readonly name: "edit_notebook";
  readonly arguments: EditNotebookArguments;
  readonly input: EditNotebookInput;
  readonly output: EditNotebookOutput;
  readonly context: AgentContext;
  readonly handler: EditNotebookHandler;
  readonly handlerFile: "src/tools/edit-notebook.ts";
}

/**
 * Every behavioural fact about `edit_notebook`; none is left to a default.
 * What varies stands here with its strict value.
 */
export const editNotebookMetadata: ToolMetadata = {
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
  visibility: { shouldDefer: true, alwaysLoad: false },
  limits: { maxResultSizeChars: 2000, timeoutSeconds: 10, maxRetries: 0 },
};

/** What the model is told. */
const description: string =
  "Replace, insert or delete one cell of a Jupyter notebook. Use it for .ipynb files. Do not use it for other files: use `write_file`.";

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
    change: {
      description: "What to do to which cell. Cells are counted from 0.",
      unevaluatedProperties: false,
      oneOf: [
        {
          type: "object",
          properties: {
            action: { const: "replace" },
            cell: {
              description: "The cell to replace.",
              type: "integer",
              minimum: 0,
            },
            source: {
              description: "The new text of the cell.",
              type: "string",
              maxLength: 200000,
            },
          },
          required: ["action", "cell", "source"],
        },
        {
          type: "object",
          properties: {
            action: { const: "insert" },
            before: {
              description: "The cell that will follow the new one.",
              type: "integer",
              minimum: 0,
            },
            kind: {
              description: "Kind of the new cell.",
              enum: ["code", "markdown"],
            },
            source: {
              description: "The text of the new cell.",
              type: "string",
              maxLength: 200000,
            },
          },
          required: ["action", "before", "kind", "source"],
        },
        {
          type: "object",
          properties: {
            action: { const: "delete" },
            cell: {
              description: "The cell to delete.",
              type: "integer",
              minimum: 0,
            },
          },
          required: ["action", "cell"],
        },
      ],
    },
  },
  required: ["path", "change"],
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
  name: "edit_notebook",
  description,
  input_schema: input,
  strict: false,
  defer_loading: true,
});

/** For `tools` of OpenAI's Responses API. */
export const openaiResponses = (): OpenAIResponsesTool => ({
  type: "function",
  name: "edit_notebook",
  description,
  parameters: input,
  strict: false,
  defer_loading: true,
});

/** For `tools` of OpenAI's Responses API, in strict mode. */
export const openaiResponsesStrict = (): OpenAIResponsesTool => ({
  type: "function",
  name: "edit_notebook",
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
      change: {
        description: "What to do to which cell. Cells are counted from 0.",
        anyOf: [
          {
            type: "object",
            properties: {
              action: { type: "string", const: "replace" },
              cell: {
                description: "The cell to replace.",
                type: "integer",
                minimum: 0,
              },
              source: {
                description: "The new text of the cell.",
                type: "string",
                maxLength: 200000,
              },
            },
            required: ["action", "cell", "source"],
            additionalProperties: false,
          },
          {
            type: "object",
            properties: {
              action: { type: "string", const: "insert" },
              before: {
                description: "The cell that will follow the new one.",
                type: "integer",
                minimum: 0,
              },
              kind: {
                description: "Kind of the new cell.",
                type: "string",
                enum: ["code", "markdown"],
              },
              source: {
                description: "The text of the new cell.",
                type: "string",
                maxLength: 200000,
              },
            },
            required: ["action", "before", "kind", "source"],
            additionalProperties: false,
          },
          {
            type: "object",
            properties: {
              action: { type: "string", const: "delete" },
              cell: {
                description: "The cell to delete.",
                type: "integer",
                minimum: 0,
              },
            },
            required: ["action", "cell"],
            additionalProperties: false,
          },
        ],
      },
    },
    required: ["path", "change"],
    additionalProperties: false,
  },
  strict: true,
  defer_loading: true,
});

/** For `functionDeclarations` in Gemini's `config.tools`. */
export const gemini = (): GeminiTool => ({
  name: "edit_notebook",
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
      change: {
        anyOf: [
          {
            description: "What to do to which cell. Cells are counted from 0.",
            type: "OBJECT",
            properties: {
              action: { type: "STRING", enum: ["replace"] },
              cell: {
                description: "The cell to replace.",
                type: "INTEGER",
                minimum: 0,
              },
              source: {
                description: "The new text of the cell.",
                type: "STRING",
                maxLength: 200000,
              },
            },
            required: ["action", "cell", "source"],
          },
          {
            type: "OBJECT",
            properties: {
              action: { type: "STRING", enum: ["insert"] },
              before: {
                description: "The cell that will follow the new one.",
                type: "INTEGER",
                minimum: 0,
              },
              kind: {
                description: "Kind of the new cell.",
                type: "STRING",
                enum: ["code", "markdown"],
              },
              source: {
                description: "The text of the new cell.",
                type: "STRING",
                maxLength: 200000,
              },
            },
            required: ["action", "before", "kind", "source"],
          },
          {
            type: "OBJECT",
            properties: {
              action: { type: "STRING", enum: ["delete"] },
              cell: {
                description: "The cell to delete.",
                type: "INTEGER",
                minimum: 0,
              },
            },
            required: ["action", "cell"],
          },
        ],
      },
    },
    required: ["path", "change"],
  },
});

/** For `functionDeclarations` in Gemini's `config.tools`. */
export const geminiJsonSchema = (): GeminiJsonSchemaTool => ({
  name: "edit_notebook",
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
      change: {
        description: "What to do to which cell. Cells are counted from 0.",
        anyOf: [
          {
            type: "object",
            properties: {
              action: { enum: ["replace"] },
              cell: {
                description: "The cell to replace.",
                type: "integer",
                minimum: 0,
              },
              source: {
                description:
                  "The new text of the cell. At most 200000 characters.",
                type: "string",
              },
            },
            required: ["action", "cell", "source"],
          },
          {
            type: "object",
            properties: {
              action: { enum: ["insert"] },
              before: {
                description: "The cell that will follow the new one.",
                type: "integer",
                minimum: 0,
              },
              kind: {
                description: "Kind of the new cell.",
                enum: ["code", "markdown"],
              },
              source: {
                description:
                  "The text of the new cell. At most 200000 characters.",
                type: "string",
              },
            },
            required: ["action", "before", "kind", "source"],
          },
          {
            type: "object",
            properties: {
              action: { enum: ["delete"] },
              cell: {
                description: "The cell to delete.",
                type: "integer",
                minimum: 0,
              },
            },
            required: ["action", "cell"],
          },
        ],
      },
    },
    required: ["path", "change"],
    additionalProperties: false,
  },
});

/** For `tools` of an MCP `tools/list` result. */
export const mcp = (): McpTool => ({
  name: "edit_notebook",
  title: "Edit notebook",
  description,
  inputSchema: input,
  outputSchema: output,
  annotations: {
    title: "Edit notebook",
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: false,
  },
});

/**
 * All that the spec of `edit_notebook` says; only the handler is missing.
 */
export const editNotebookSpec: ToolSpec<EditNotebookTypes> = {
  name: "edit_notebook",
  title: "Edit notebook",
  description,
  owner: "workspace",
  tags: ["files", "write"],
  searchHint: "jupyter notebook ipynb cell edit",
  handlerFile: "src/tools/edit-notebook.ts",
  metadata: editNotebookMetadata,
  input,
  output,
  rules: [
    {
      when: (input) => member(input, "change", "action") === "insert",
      class: "WRITE_EXCLUSIVE",
      isDestructive: false,
    },
  ],
  validate: [
    {
      that: (input) => member(input, "path").endsWith(".ipynb"),
      message: "the path must end in .ipynb",
    },
    {
      custom: "insideWorkspace",
    },
  ],
  examples: [
    {
      input: {
        path: "analysis.ipynb",
        change: {
          action: "insert",
          before: 0,
          kind: "markdown",
          source: "# Analysis",
        },
      },
    },
  ],
  display: {
    running: "Editing {path}",
    done: "Edited {path}",
    failed: "Could not edit {path}",
    rejected: "Editing {path} was refused",
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
