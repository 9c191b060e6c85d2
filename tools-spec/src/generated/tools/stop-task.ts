// Made by hasp from specs/stop_task.tool.yaml. Edits are lost: change the spec and run `hasp build`.

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

/** What a caller may send to `stop_task`. */
export interface StopTaskArguments {
  /**
   * Background task
   *
   * The id that `run_shell` returned.
   *
   * Matches `^task-[0-9]{1,9}$`.
   */
  readonly taskId: string;
}

/**
 * What the handler of `stop_task` receives: valid, with defaults filled in.
 */
export type StopTaskInput = StopTaskArguments;

/** What `stop_task` answers. */
export interface StopTaskOutput {
  /** false when the task had ended by itself. */
  readonly stopped: boolean;
}

/** What `src/tools/stop-task.ts` exports. */
export interface StopTaskHandler extends OptionalExports<
  StopTaskInput,
  AgentContext
> {
  readonly execute: Execute<StopTaskInput, StopTaskOutput, AgentContext>;
}

/** The types of `stop_task`, for the registry. */
export interface StopTaskTypes {
  readonly name: "stop_task";
  readonly arguments: StopTaskArguments;
  readonly input: StopTaskInput;
  readonly output: StopTaskOutput;
  readonly context: AgentContext;
  readonly handler: StopTaskHandler;
  readonly handlerFile: "src/tools/stop-task.ts";
}

/**
 * Every behavioural fact about `stop_task`; none is left to a default. What
 * varies stands here with its strict value.
 */
export const stopTaskMetadata: ToolMetadata = {
  concurrency: { class: "WRITE_EXCLUSIVE" },
  behavior: {
    isReadOnly: false,
    isDestructive: true,
    isIdempotent: true,
    isOpenWorld: false,
    requiresPermission: true,
    requiresUserInteraction: false,
    interruptBehavior: "block",
    abortsSiblingsOnError: false,
  },
  visibility: { shouldDefer: false, alwaysLoad: false },
  limits: { maxResultSizeChars: 1000, timeoutSeconds: 15, maxRetries: 0 },
};

/** What the model is told. */
const description: string =
  "Stop a task that `run_shell` started in the background. Use it when the task is no longer needed. Do not use it on anything else than the id that was returned.";

/** What callers may send: flat and closed. */
const input: ObjectSchema = {
  type: "object",
  properties: {
    taskId: {
      title: "Background task",
      description: "The id that `run_shell` returned.",
      type: "string",
      pattern: "^task-[0-9]{1,9}$",
    },
  },
  required: ["taskId"],
  additionalProperties: false,
};

/** What results hold. */
const output: ObjectSchema = {
  type: "object",
  properties: {
    stopped: {
      description: "false when the task had ended by itself.",
      type: "boolean",
    },
  },
  required: ["stopped"],
};

/** For `tools` of Anthropic's Messages API. */
export const anthropic = (): AnthropicTool => ({
  name: "stop_task",
  description,
  input_schema: input,
  strict: false,
  input_examples: [{ taskId: "task-1" }],
});

/** For `tools` of OpenAI's Responses API. */
export const openaiResponses = (): OpenAIResponsesTool => ({
  type: "function",
  name: "stop_task",
  description,
  parameters: input,
  strict: false,
});

/** For `tools` of OpenAI's Responses API, in strict mode. */
export const openaiResponsesStrict = (): OpenAIResponsesTool => ({
  type: "function",
  name: "stop_task",
  description,
  parameters: input,
  strict: true,
});

/** For `functionDeclarations` in Gemini's `config.tools`. */
export const gemini = (): GeminiTool => ({
  name: "stop_task",
  description,
  parameters: {
    type: "OBJECT",
    properties: {
      taskId: {
        title: "Background task",
        description: "The id that `run_shell` returned.",
        type: "STRING",
        pattern: "^task-[0-9]{1,9}$",
      },
    },
    required: ["taskId"],
  },
});

/** For `functionDeclarations` in Gemini's `config.tools`. */
export const geminiJsonSchema = (): GeminiJsonSchemaTool => ({
  name: "stop_task",
  description,
  parametersJsonSchema: {
    type: "object",
    properties: {
      taskId: {
        title: "Background task",
        description:
          "The id that `run_shell` returned. Matches the regular expression ^task-[0-9]{1,9}$",
        type: "string",
      },
    },
    required: ["taskId"],
    additionalProperties: false,
  },
});

/** For `tools` of an MCP `tools/list` result. */
export const mcp = (): McpTool => ({
  name: "stop_task",
  title: "Stop background task",
  description,
  inputSchema: input,
  outputSchema: output,
  annotations: {
    title: "Stop background task",
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: true,
    openWorldHint: false,
  },
});

/** All that the spec of `stop_task` says; only the handler is missing. */
export const stopTaskSpec: ToolSpec<StopTaskTypes> = {
  name: "stop_task",
  title: "Stop background task",
  description,
  owner: "workspace",
  tags: ["shell"],
  aliases: ["kill_shell"],
  handlerFile: "src/tools/stop-task.ts",
  metadata: stopTaskMetadata,
  input,
  output,
  examples: [{ input: { taskId: "task-1" } }],
  display: {
    running: "Stopping {taskId}",
    done: "Stopped {taskId}",
    failed: "Could not stop {taskId}",
    rejected: "Stopping {taskId} was refused",
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
