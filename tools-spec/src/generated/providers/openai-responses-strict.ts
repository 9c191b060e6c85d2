// Made by hasp from the specs. Edits are lost: change the spec and run `hasp build`.

import type { OpenAIResponsesTool } from "@hasp/runtime/codegen";

/** For `tools` of OpenAI's Responses API. */
export const tools: OpenAIResponsesTool[] = [
  {
    type: "function",
    name: "ask_user",
    description:
      "Ask the user one question and wait for the answer. Use it when you cannot go on without a decision. Do not use it for what another tool can find out.",
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
  },
  {
    type: "function",
    name: "delete_file",
    description:
      "Delete one file of the workspace for good. Use it only when the user asked for the deletion. Do not use it on folders, or to empty a file: use `write_file` for that.",
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
      },
      required: ["path"],
      additionalProperties: false,
    },
    strict: true,
  },
  {
    type: "function",
    name: "edit_notebook",
    description:
      "Replace, insert or delete one cell of a Jupyter notebook. Use it for .ipynb files. Do not use it for other files: use `write_file`.",
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
  },
  {
    type: "function",
    name: "execute_sql",
    description:
      "Run one SQL statement against the application database. Use it to change records, or to read them in the same transaction mode. Do not use it for plain look-ups: use `query_database`.",
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
  },
  {
    type: "function",
    name: "fetch_url",
    description:
      "Fetch a page or document by HTTP GET and return its text. Use it when you have an address. Do not use it to send data anywhere: it has no other method.",
    parameters: {
      type: "object",
      properties: {
        url: {
          description: "An http or https address. Format: uri.",
          type: "string",
          minLength: 8,
          maxLength: 2000,
        },
        accept: {
          description: "The kind of document you want.",
          type: ["string", "null"],
          enum: ["text/html", "text/plain", "application/json", null],
          default: "text/html",
        },
        maxBytes: {
          description: "Most bytes to read of the answer.",
          type: ["integer", "null"],
          minimum: 1000,
          maximum: 2000000,
          default: 200000,
        },
      },
      required: ["url", "accept", "maxBytes"],
      additionalProperties: false,
    },
    strict: true,
  },
  {
    type: "function",
    name: "query_database",
    description:
      "Run one SQL query against the application database and return its rows. Use it to look up records or to count them. Do not use it to change anything: use `execute_sql`.",
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
  },
  {
    type: "function",
    name: "read_file",
    description:
      "Read a text file of the workspace, whole or a range of lines. Use it when you know the path. Do not use it to find a file: use `search_files`.",
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
  },
  {
    type: "function",
    name: "run_shell",
    description:
      "Run one shell command in the workspace's root and return what it printed. Use it for builds, tests and version control. Do not use it to read or search files: use `read_file` and `search_files`.",
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
  },
  {
    type: "function",
    name: "search_files",
    description:
      "Find lines in the workspace's text files. Use it to locate code or text when you do not know the file. Do not use it to read a whole file: use `read_file`.",
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
  },
  {
    type: "function",
    name: "send_message",
    description:
      "Send an e-mail to one or more people. Use it only after the user agreed to the text and to every address. Do not use it to take notes: use `write_file`.",
    parameters: {
      type: "object",
      properties: {
        to: {
          description: "The addresses, each once. No item twice.",
          type: "array",
          items: { type: "string", format: "email", maxLength: 254 },
          minItems: 1,
          maxItems: 20,
        },
        subject: {
          description: "The subject line, without line breaks.",
          type: "string",
          minLength: 1,
          maxLength: 200,
        },
        body: {
          description: "The text of the message.",
          type: "string",
          minLength: 1,
          maxLength: 50000,
        },
        headers: {
          description: "Further headers by name. Each key once.",
          anyOf: [
            {
              type: "array",
              items: {
                type: "object",
                properties: {
                  key: { type: "string", pattern: "^X-[A-Za-z0-9-]{1,60}$" },
                  value: { type: "string", maxLength: 500 },
                },
                required: ["key", "value"],
                additionalProperties: false,
              },
              maxItems: 10,
            },
            { type: "null" },
          ],
        },
      },
      required: ["to", "subject", "body", "headers"],
      additionalProperties: false,
    },
    strict: true,
  },
  {
    type: "function",
    name: "stop_task",
    description:
      "Stop a task that `run_shell` started in the background. Use it when the task is no longer needed. Do not use it on anything else than the id that was returned.",
    parameters: {
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
    },
    strict: true,
  },
  {
    type: "function",
    name: "write_file",
    description:
      "Write a whole text file in the workspace. Use it to create a file or to replace one on purpose. Do not use it for a notebook: use `edit_notebook`.",
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
  },
];
