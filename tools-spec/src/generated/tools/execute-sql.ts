// Made by hasp from specs/execute_sql.tool.yaml. Edits are lost: change the spec and run `hasp build`.

import {
  type AnthropicTool,
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
import type { Rows, Scope } from "../types.js";

/** What a caller may send to `execute_sql`. */
export interface ExecuteSqlArguments {
  /**
   * SQL statement
   *
   * One statement, no trailing semicolon.
   *
   * Content: application/sql. 1 to 20000 characters.
   */
  readonly query: string;
  /**
   * Values for the placeholders $1, $2, …
   *
   * At most 100 items.
   */
  readonly parameters?: readonly (string | number | boolean | null)[];
  /** read runs in a READ ONLY transaction. */
  readonly mode: "read" | "write";
  /**
   * Which database a statement runs in
   *
   * scratch runs the statement in a throw-away database of its own.
   */
  readonly scope?: Scope;
  /**
   * Most rows to return.
   *
   * An integer, at least 1 and at most 1000. Default: `100`.
   */
  readonly maxRows?: number;
}

/**
 * What the handler of `execute_sql` receives: valid, with defaults filled in.
 */
export interface ExecuteSqlInput extends ExecuteSqlArguments {
  /**
   * Most rows to return.
   *
   * An integer, at least 1 and at most 1000. Default: `100`.
   */
  readonly maxRows: number;
}

/** What `execute_sql` answers. */
export type ExecuteSqlOutput = Rows;

/** What `src/tools/execute-sql.ts` exports. */
export interface ExecuteSqlHandler extends OptionalExports<
  ExecuteSqlInput,
  AgentContext
> {
  readonly execute: Execute<ExecuteSqlInput, ExecuteSqlOutput, AgentContext>;
}

/** The types of `execute_sql`, for the registry. */
export interface ExecuteSqlTypes {
  readonly name: "execute_sql";
  readonly arguments: ExecuteSqlArguments;
  readonly input: ExecuteSqlInput;
  readonly output: ExecuteSqlOutput;
  readonly context: AgentContext;
  readonly handler: ExecuteSqlHandler;
  readonly handlerFile: "src/tools/execute-sql.ts";
}

/**
 * Every behavioural fact about `execute_sql`; none is left to a default. What
 * varies stands here with its strict value.
 */
export const executeSqlMetadata: ToolMetadata = {
  concurrency: { class: "UNSAFE" },
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
  limits: { maxResultSizeChars: 50000, timeoutSeconds: 30, maxRetries: 0 },
};

/** What the model is told. */
const description: string =
  "Run one SQL statement against the application database. Use it to change records, or to read them in the same transaction mode. Do not use it for plain look-ups: use `query_database`.";

/** What callers may send: flat and closed. */
const input: ObjectSchema = {
  type: "object",
  properties: {
    query: {
      title: "SQL statement",
      description: "One statement, no trailing semicolon.",
      type: "string",
      minLength: 1,
      maxLength: 20000,
      contentMediaType: "application/sql",
    },
    parameters: {
      title: "Values for the placeholders $1, $2, …",
      type: "array",
      items: {
        anyOf: [
          { type: "string", maxLength: 10000 },
          { type: "number" },
          { type: "boolean" },
          { type: "null" },
        ],
      },
      maxItems: 100,
    },
    mode: {
      description: "read runs in a READ ONLY transaction.",
      enum: ["read", "write"],
    },
    scope: {
      title: "Which database a statement runs in",
      description:
        "scratch runs the statement in a throw-away database of its own.",
      enum: ["scratch", "application"],
    },
    maxRows: {
      description: "Most rows to return.",
      type: "integer",
      minimum: 1,
      maximum: 1000,
      default: 100,
    },
  },
  required: ["query", "mode"],
  additionalProperties: false,
};

/** What results hold. */
const output: ObjectSchema = {
  title: "Rows of a result",
  type: "object",
  properties: {
    rows: {
      description: "One object for each row, keyed by column name.",
      type: "array",
      items: { type: "object", additionalProperties: true },
    },
    affected: {
      description: "Rows that the statement changed.",
      type: "integer",
      minimum: 0,
    },
    truncated: {
      description: "Whether there were more rows than were asked for.",
      type: "boolean",
    },
  },
  required: ["rows", "truncated"],
};

/** For `tools` of Anthropic's Messages API. */
export const anthropic = (): AnthropicTool => ({
  name: "execute_sql",
  description,
  input_schema: input,
  strict: false,
  input_examples: [
    {
      query: "UPDATE users SET plan = $1 WHERE id = $2",
      parameters: ["team", 7],
      mode: "write",
    },
  ],
});

/** For `tools` of OpenAI's Responses API. */
export const openaiResponses = (): OpenAIResponsesTool => ({
  type: "function",
  name: "execute_sql",
  description,
  parameters: input,
  strict: false,
});

/** For `tools` of OpenAI's Responses API, in strict mode. */
export const openaiResponsesStrict = (): OpenAIResponsesTool => ({
  type: "function",
  name: "execute_sql",
  description,
  parameters: {
    type: "object",
    properties: {
      query: {
        title: "SQL statement",
        description: "One statement, no trailing semicolon.",
        type: "string",
        minLength: 1,
        maxLength: 20000,
      },
      parameters: {
        title: "Values for the placeholders $1, $2, …",
        anyOf: [
          {
            type: "array",
            items: {
              anyOf: [
                { type: "string", maxLength: 10000 },
                { type: "number" },
                { type: "boolean" },
                { type: "null" },
              ],
            },
            maxItems: 100,
          },
          { type: "null" },
        ],
      },
      mode: {
        description: "read runs in a READ ONLY transaction.",
        type: "string",
        enum: ["read", "write"],
      },
      scope: {
        title: "Which database a statement runs in",
        description:
          "scratch runs the statement in a throw-away database of its own.",
        type: ["string", "null"],
        enum: ["scratch", "application", null],
      },
      maxRows: {
        description: "Most rows to return.",
        type: ["integer", "null"],
        minimum: 1,
        maximum: 1000,
        default: 100,
      },
    },
    required: ["query", "parameters", "mode", "scope", "maxRows"],
    additionalProperties: false,
  },
  strict: true,
});

/** For `functionDeclarations` in Gemini's `config.tools`. */
export const gemini = (): GeminiTool => ({
  name: "execute_sql",
  description,
  parameters: {
    type: "OBJECT",
    properties: {
      query: {
        title: "SQL statement",
        description: "One statement, no trailing semicolon.",
        type: "STRING",
        minLength: 1,
        maxLength: 20000,
      },
      parameters: {
        title: "Values for the placeholders $1, $2, …",
        type: "ARRAY",
        items: {
          anyOf: [
            { type: "STRING", nullable: true, maxLength: 10000 },
            { type: "NUMBER" },
            { type: "BOOLEAN" },
          ],
        },
        maxItems: 100,
      },
      mode: {
        description: "read runs in a READ ONLY transaction.",
        type: "STRING",
        enum: ["read", "write"],
      },
      scope: {
        title: "Which database a statement runs in",
        description:
          "scratch runs the statement in a throw-away database of its own.",
        type: "STRING",
        enum: ["scratch", "application"],
      },
      maxRows: {
        description: "Most rows to return. Default: 100.",
        type: "INTEGER",
        minimum: 1,
        maximum: 1000,
      },
    },
    required: ["query", "mode"],
  },
});

/** For `functionDeclarations` in Gemini's `config.tools`. */
export const geminiJsonSchema = (): GeminiJsonSchemaTool => ({
  name: "execute_sql",
  description,
  parametersJsonSchema: {
    type: "object",
    properties: {
      query: {
        title: "SQL statement",
        description:
          "One statement, no trailing semicolon. At least 1 character. At most 20000 characters.",
        type: "string",
      },
      parameters: {
        title: "Values for the placeholders $1, $2, …",
        type: "array",
        items: {
          anyOf: [
            { description: "At most 10000 characters.", type: "string" },
            { type: "number" },
            { type: "boolean" },
            { type: "null" },
          ],
        },
        maxItems: 100,
      },
      mode: {
        description: "read runs in a READ ONLY transaction.",
        enum: ["read", "write"],
      },
      scope: {
        title: "Which database a statement runs in",
        description:
          "scratch runs the statement in a throw-away database of its own.",
        enum: ["scratch", "application"],
      },
      maxRows: {
        description: "Most rows to return. Default: 100.",
        type: "integer",
        minimum: 1,
        maximum: 1000,
      },
    },
    required: ["query", "mode"],
    additionalProperties: false,
  },
});

/** For `tools` of an MCP `tools/list` result. */
export const mcp = (): McpTool => ({
  name: "execute_sql",
  title: "Execute SQL",
  description,
  inputSchema: input,
  outputSchema: output,
  annotations: {
    title: "Execute SQL",
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: false,
  },
});

/** All that the spec of `execute_sql` says; only the handler is missing. */
export const executeSqlSpec: ToolSpec<ExecuteSqlTypes> = {
  name: "execute_sql",
  title: "Execute SQL",
  description,
  owner: "data-platform",
  tags: ["database", "write"],
  aliases: ["run_sql"],
  searchHint: "database sql statement insert update delete",
  handlerFile: "src/tools/execute-sql.ts",
  metadata: executeSqlMetadata,
  input,
  output,
  rules: [
    {
      when: (input) => member(input, "mode") === "read",
      class: "READ_ONLY",
      isReadOnly: true,
      isDestructive: false,
      isIdempotent: true,
    },
    {
      when: (input) =>
        hasMember(input, "scope") && member(input, "scope") === "scratch",
      class: "WRITE_EXCLUSIVE",
      isDestructive: false,
    },
  ],
  needs: { context: ["database"] },
  examples: [
    {
      input: {
        query: "UPDATE users SET plan = $1 WHERE id = $2",
        parameters: ["team", 7],
        mode: "write",
      },
    },
  ],
  display: {
    running: "Running SQL ({mode})",
    done: "Statement ran",
    failed: "Statement failed",
    rejected: "Statement refused",
  },
  dialects: {
    anthropic: { definition: anthropic },
    "openai-responses": { definition: openaiResponses },
    "openai-responses-strict": {
      codec: {
        kind: "object",
        properties: {
          parameters: { absent: "null" },
          scope: { absent: "null" },
          maxRows: { absent: "null" },
        },
      },
      definition: openaiResponsesStrict,
    },
    gemini: { definition: gemini },
    "gemini-json-schema": { definition: geminiJsonSchema },
    mcp: { definition: mcp },
  },
};
