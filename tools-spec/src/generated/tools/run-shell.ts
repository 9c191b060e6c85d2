// Made by hasp from specs/run_shell.tool.yaml. Edits are lost: change the spec and run `hasp build`.

import {
  type AnthropicTool,
  type Execute,
  type GeminiJsonSchemaTool,
  type GeminiTool,
  type JsonSchema,
  type McpTool,
  member,
  type ObjectSchema,
  type OpenAIResponsesTool,
  type OptionalExports,
  type ToolMetadata,
  type ToolSpec,
} from "@hasp/runtime/codegen/v1";
import type { AgentContext } from "../../context.js";

/** What a caller may send to `run_shell`. */
export interface RunShellArguments {
  /**
   * The command line.
   *
   * Content: text/x-shellscript. 1 to 4000 characters.
   */
  readonly command: string;
  /**
   * Whether to return at once with a task id; `stop_task` ends it.
   *
   * Default: `false`.
   */
  readonly background?: boolean;
}

/**
 * What the handler of `run_shell` receives: valid, with defaults filled in.
 */
export interface RunShellInput extends RunShellArguments {
  /**
   * Whether to return at once with a task id; `stop_task` ends it.
   *
   * Default: `false`.
   */
  readonly background: boolean;
}

/** What `run_shell` answers. */
export type RunShellOutput =
  | {
      /** null when a signal ended the command. */
      readonly exitCode: number | null;
      /** Standard output and standard error as they came. */
      readonly printed: string;
    }
  | {
      /**
       * Background task
       *
       * Matches `^task-[0-9]{1,9}$`.
       */
      readonly taskId: string;
    };

/** What `src/tools/run-shell.ts` exports. */
export interface RunShellHandler extends OptionalExports<
  RunShellInput,
  AgentContext
> {
  readonly execute: Execute<RunShellInput, RunShellOutput, AgentContext>;
}

/** The types of `run_shell`, for the registry. */
export interface RunShellTypes {
  readonly name: "run_shell";
  readonly arguments: RunShellArguments;
  readonly input: RunShellInput;
  readonly output: RunShellOutput;
  readonly context: AgentContext;
  readonly handler: RunShellHandler;
  readonly handlerFile: "src/tools/run-shell.ts";
}

/**
 * Every behavioural fact about `run_shell`; none is left to a default. What
 * varies stands here with its strict value.
 */
export const runShellMetadata: ToolMetadata = {
  concurrency: { class: "UNSAFE" },
  behavior: {
    isReadOnly: false,
    isDestructive: true,
    isIdempotent: false,
    isOpenWorld: true,
    requiresPermission: true,
    requiresUserInteraction: false,
    interruptBehavior: "cancel",
    abortsSiblingsOnError: false,
  },
  visibility: { shouldDefer: false, alwaysLoad: false },
  limits: { maxResultSizeChars: 30000, timeoutSeconds: 120, maxRetries: 0 },
};

/** What the model is told. */
const description: string =
  "Run one shell command in the workspace's root and return what it printed. Use it for builds, tests and version control. Do not use it to read or search files: use `read_file` and `search_files`.";

/** What callers may send: flat and closed. */
const input: ObjectSchema = {
  type: "object",
  properties: {
    command: {
      description: "The command line.",
      type: "string",
      minLength: 1,
      maxLength: 4000,
      contentMediaType: "text/x-shellscript",
    },
    background: {
      description:
        "Whether to return at once with a task id; `stop_task` ends it.",
      type: "boolean",
      default: false,
    },
  },
  required: ["command"],
  additionalProperties: false,
};

/** What results hold. */
const output: JsonSchema = {
  anyOf: [
    {
      type: "object",
      properties: {
        exitCode: {
          description: "null when a signal ended the command.",
          type: ["integer", "null"],
        },
        printed: {
          description: "Standard output and standard error as they came.",
          type: "string",
        },
      },
      required: ["exitCode", "printed"],
    },
    {
      type: "object",
      properties: {
        taskId: {
          title: "Background task",
          type: "string",
          pattern: "^task-[0-9]{1,9}$",
        },
      },
      required: ["taskId"],
    },
  ],
};

/** For `tools` of Anthropic's Messages API. */
export const anthropic = (): AnthropicTool => ({
  name: "run_shell",
  description,
  input_schema: input,
  strict: false,
  input_examples: [{ command: "git status" }, { command: "npm test" }],
});

/** For `tools` of OpenAI's Responses API. */
export const openaiResponses = (): OpenAIResponsesTool => ({
  type: "function",
  name: "run_shell",
  description,
  parameters: input,
  strict: false,
});

/** For `tools` of OpenAI's Responses API, in strict mode. */
export const openaiResponsesStrict = (): OpenAIResponsesTool => ({
  type: "function",
  name: "run_shell",
  description,
  parameters: {
    type: "object",
    properties: {
      command: {
        description: "The command line.",
        type: "string",
        minLength: 1,
        maxLength: 4000,
      },
      background: {
        description:
          "Whether to return at once with a task id; `stop_task` ends it.",
        type: ["boolean", "null"],
        default: false,
      },
    },
    required: ["command", "background"],
    additionalProperties: false,
  },
  strict: true,
});

/** For `functionDeclarations` in Gemini's `config.tools`. */
export const gemini = (): GeminiTool => ({
  name: "run_shell",
  description,
  parameters: {
    type: "OBJECT",
    properties: {
      command: {
        description: "The command line.",
        type: "STRING",
        minLength: 1,
        maxLength: 4000,
      },
      background: {
        description:
          "Whether to return at once with a task id; `stop_task` ends it. Default: false.",
        type: "BOOLEAN",
      },
    },
    required: ["command"],
  },
});

/** For `functionDeclarations` in Gemini's `config.tools`. */
export const geminiJsonSchema = (): GeminiJsonSchemaTool => ({
  name: "run_shell",
  description,
  parametersJsonSchema: {
    type: "object",
    properties: {
      command: {
        description:
          "The command line. At least 1 character. At most 4000 characters.",
        type: "string",
      },
      background: {
        description:
          "Whether to return at once with a task id; `stop_task` ends it. Default: false.",
        type: "boolean",
      },
    },
    required: ["command"],
    additionalProperties: false,
  },
});

/** For `tools` of an MCP `tools/list` result. */
export const mcp = (): McpTool => ({
  name: "run_shell",
  title: "Run shell command",
  description,
  inputSchema: input,
  outputSchema: {
    type: "object",
    anyOf: [
      {
        type: "object",
        properties: {
          exitCode: {
            description: "null when a signal ended the command.",
            type: ["integer", "null"],
          },
          printed: {
            description: "Standard output and standard error as they came.",
            type: "string",
          },
        },
        required: ["exitCode", "printed"],
      },
      {
        type: "object",
        properties: {
          taskId: {
            title: "Background task",
            type: "string",
            pattern: "^task-[0-9]{1,9}$",
          },
        },
        required: ["taskId"],
      },
    ],
  },
  annotations: {
    title: "Run shell command",
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: true,
  },
});

/** All that the spec of `run_shell` says; only the handler is missing. */
export const runShellSpec: ToolSpec<RunShellTypes> = {
  name: "run_shell",
  title: "Run shell command",
  description,
  owner: "workspace",
  tags: ["shell"],
  handlerFile: "src/tools/run-shell.ts",
  metadata: runShellMetadata,
  input,
  output,
  rules: [
    {
      // prettier-ignore
      when: (input) => ["git status", "git diff --stat", "ls", "pwd"].includes(member(input, "command")) && !member(input, "background"),
      class: "READ_ONLY",
      isReadOnly: true,
      isDestructive: false,
      isIdempotent: true,
    },
  ],
  examples: [
    { input: { command: "git status" } },
    { input: { command: "npm test" } },
  ],
  display: {
    running: "Running {command}",
    done: "Ran {command}",
    failed: "{command} failed",
    rejected: "{command} was refused",
  },
  dialects: {
    anthropic: { definition: anthropic },
    "openai-responses": { definition: openaiResponses },
    "openai-responses-strict": {
      codec: { kind: "object", properties: { background: { absent: "null" } } },
      definition: openaiResponsesStrict,
    },
    gemini: { definition: gemini },
    "gemini-json-schema": { definition: geminiJsonSchema },
    mcp: { definition: mcp },
  },
};
