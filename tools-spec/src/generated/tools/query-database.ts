// Made by hasp from specs/query_database.tool.yaml. Edits are lost: change the spec and run `hasp build`.

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
import type { Rows } from "../types.js";

/** What a caller may send to `query_database`. */
export interface QueryDatabaseArguments {
  /**
   * SQL statement
   *
   * One SELECT statement. Put values into parameters, not into the text.
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
  /**
   * Most rows to return.
   *
   * An integer, at least 1 and at most 1000. Default: `100`.
   */
  readonly maxRows?: number;
}

/**
 * What the handler of `query_database` receives: valid, with defaults filled
 * in.
 */
export interface QueryDatabaseInput extends QueryDatabaseArguments {
  /**
   * Most rows to return.
   *
   * An integer, at least 1 and at most 1000. Default: `100`.
   */
  readonly maxRows: number;
}

/** What `query_database` answers. */
export type QueryDatabaseOutput = Rows;

/** What `src/tools/query-database.ts` exports. */
export interface QueryDatabaseHandler extends OptionalExports<
  QueryDatabaseInput,
  AgentContext
> {
  readonly execute: Execute<
    QueryDatabaseInput,
    QueryDatabaseOutput,
    AgentContext
  >;
}

/** The types of `query_database`, for the registry. */
export interface QueryDatabaseTypes {
  readonly name: "query_database";
  readonly arguments: QueryDatabaseArguments;
  readonly input: QueryDatabaseInput;
  readonly output: QueryDatabaseOutput;
  readonly context: AgentContext;
  readonly handler: QueryDatabaseHandler;
  readonly handlerFile: "src/tools/query-database.ts";
}

/**
 * Every behavioural fact about `query_database`; none is left to a default.
 * What varies stands here with its strict value.
 */
export const queryDatabaseMetadata: ToolMetadata = {
  concurrency: { class: "READ_ONLY" },
  behavior: {
    isReadOnly: true,
    isDestructive: false,
    isIdempotent: true,
    isOpenWorld: false,
    requiresPermission: true,
    requiresUserInteraction: false,
    interruptBehavior: "cancel",
    abortsSiblingsOnError: false,
  },
  visibility: { shouldDefer: false, alwaysLoad: false },
  limits: { maxResultSizeChars: 50000, timeoutSeconds: 30, maxRetries: 2 },
};

/** What the model is told. */
const description: string =
  "Run one SQL query against the application database and return its rows. Use it to look up records or to count them. Do not use it to change anything: use `execute_sql`.";

/** What callers may send: flat and closed. */
const input: ObjectSchema = {
  type: "object",
  properties: {
    query: {
      title: "SQL statement",
      description:
        "One SELECT statement. Put values into parameters, not into the text.",
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
    maxRows: {
      description: "Most rows to return.",
      type: "integer",
      minimum: 1,
      maximum: 1000,
      default: 100,
    },
  },
  required: ["query"],
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
  name: "query_database",
  description,
  input_schema: input,
  strict: false,
  input_examples: [
    {
      query: "SELECT count(*) FROM users WHERE plan = $1",
      parameters: ["free"],
    },
  ],
});

/** For `tools` of OpenAI's Responses API. */
export const openaiResponses = (): OpenAIResponsesTool => ({
  type: "function",
  name: "query_database",
  description,
  parameters: input,
  strict: false,
});

/** For `tools` of OpenAI's Responses API, in strict mode. */
export const openaiResponsesStrict = (): OpenAIResponsesTool => ({
  type: "function",
  name: "query_database",
  description,
  parameters: {
    type: "object",
    properties: {
      query: {
        title: "SQL statement",
        description:
          "One SELECT statement. Put values into parameters, not into the text.",
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
      maxRows: {
        description: "Most rows to return.",
        type: ["integer", "null"],
        minimum: 1,
        maximum: 1000,
        default: 100,
      },
    },
    required: ["query", "parameters", "maxRows"],
    additionalProperties: false,
  },
  strict: true,
});

/** For `functionDeclarations` in Gemini's `config.tools`. */
export const gemini = (): GeminiTool => ({
  name: "query_database",
  description,
  parameters: {
    type: "OBJECT",
    properties: {
      query: {
        title: "SQL statement",
        description:
          "One SELECT statement. Put values into parameters, not into the text.",
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
      maxRows: {
        description: "Most rows to return. Default: 100.",
        type: "INTEGER",
        minimum: 1,
        maximum: 1000,
      },
    },
    required: ["query"],
  },
});

/** For `functionDeclarations` in Gemini's `config.tools`. */
export const geminiJsonSchema = (): GeminiJsonSchemaTool => ({
  name: "query_database",
  description,
  parametersJsonSchema: {
    type: "object",
    properties: {
      query: {
        title: "SQL statement",
        description:
          "One SELECT statement. Put values into parameters, not into the text. At least 1 character. At most 20000 characters.",
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
      maxRows: {
        description: "Most rows to return. Default: 100.",
        type: "integer",
        minimum: 1,
        maximum: 1000,
      },
    },
    required: ["query"],
    additionalProperties: false,
  },
});

/** For `tools` of an MCP `tools/list` result. */
export const mcp = (): McpTool => ({
  name: "query_database",
  title: "Query database",
  description,
  inputSchema: input,
  outputSchema: output,
  annotations: {
    title: "Query database",
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
});

/**
 * All that the spec of `query_database` says; only the handler is missing.
 */
export const queryDatabaseSpec: ToolSpec<QueryDatabaseTypes> = {
  name: "query_database",
  title: "Query database",
  description,
  owner: "data-platform",
  tags: ["database", "read"],
  handlerFile: "src/tools/query-database.ts",
  metadata: queryDatabaseMetadata,
  input,
  output,
  needs: { context: ["database"] },
  examples: [
    {
      input: {
        query: "SELECT count(*) FROM users WHERE plan = $1",
        parameters: ["free"],
      },
    },
  ],
  display: {
    running: "Querying the database",
    done: "Queried",
    failed: "Query failed",
    rejected: "Query refused",
  },
  dialects: {
    anthropic: { definition: anthropic },
    "openai-responses": { definition: openaiResponses },
    "openai-responses-strict": {
      codec: {
        kind: "object",
        properties: {
          parameters: { absent: "null" },
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
