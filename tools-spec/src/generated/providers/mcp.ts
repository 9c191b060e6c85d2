// Made by hasp from the specs. Edits are lost: change the spec and run `hasp build`.

import type { McpTool } from "@hasp/runtime/codegen";

/** For `tools` of an MCP `tools/list` result. */
export const tools: McpTool[] = [
  {
    name: "ask_user",
    title: "Ask the user",
    description:
      "Ask the user one question and wait for the answer. Use it when you cannot go on without a decision. Do not use it for what another tool can find out.",
    inputSchema: {
      type: "object",
      properties: {
        question: {
          description: "The question, in one sentence.",
          type: "string",
          minLength: 1,
          maxLength: 500,
        },
        choices: {
          description: "Answers to choose from; omit them for a free answer.",
          type: "array",
          items: { type: "string", minLength: 1, maxLength: 100 },
          minItems: 2,
          maxItems: 6,
          uniqueItems: true,
        },
      },
      required: ["question"],
      additionalProperties: false,
    },
    outputSchema: {
      type: "object",
      properties: { answer: { type: "string" } },
      required: ["answer"],
    },
    annotations: {
      title: "Ask the user",
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: false,
      openWorldHint: false,
    },
  },
  {
    name: "delete_file",
    title: "Delete file",
    description:
      "Delete one file of the workspace for good. Use it only when the user asked for the deletion. Do not use it on folders, or to empty a file: use `write_file` for that.",
    inputSchema: {
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
    outputSchema: {
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
    },
    annotations: {
      title: "Delete file",
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: false,
    },
  },
  {
    name: "edit_notebook",
    title: "Edit notebook",
    description:
      "Replace, insert or delete one cell of a Jupyter notebook. Use it for .ipynb files. Do not use it for other files: use `write_file`.",
    inputSchema: {
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
    },
    outputSchema: {
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
    },
    annotations: {
      title: "Edit notebook",
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: false,
    },
  },
  {
    name: "execute_sql",
    title: "Execute SQL",
    description:
      "Run one SQL statement against the application database. Use it to change records, or to read them in the same transaction mode. Do not use it for plain look-ups: use `query_database`.",
    inputSchema: {
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
    },
    outputSchema: {
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
    },
    annotations: {
      title: "Execute SQL",
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: false,
    },
  },
  {
    name: "fetch_url",
    title: "Fetch URL",
    description:
      "Fetch a page or document by HTTP GET and return its text. Use it when you have an address. Do not use it to send data anywhere: it has no other method.",
    inputSchema: {
      type: "object",
      properties: {
        url: {
          description: "An http or https address.",
          type: "string",
          format: "uri",
          minLength: 8,
          maxLength: 2000,
        },
        accept: {
          description: "The kind of document you want.",
          enum: ["text/html", "text/plain", "application/json"],
          default: "text/html",
        },
        maxBytes: {
          description: "Most bytes to read of the answer.",
          type: "integer",
          minimum: 1000,
          maximum: 2000000,
          default: 200000,
        },
      },
      required: ["url"],
      additionalProperties: false,
    },
    outputSchema: {
      type: "object",
      properties: {
        status: { type: "integer", minimum: 100, maximum: 599 },
        contentType: { type: "string" },
        text: { type: "string" },
        truncated: { type: "boolean" },
      },
      required: ["status", "contentType", "text", "truncated"],
    },
    annotations: {
      title: "Fetch URL",
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: true,
    },
  },
  {
    name: "query_database",
    title: "Query database",
    description:
      "Run one SQL query against the application database and return its rows. Use it to look up records or to count them. Do not use it to change anything: use `execute_sql`.",
    inputSchema: {
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
    },
    outputSchema: {
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
    },
    annotations: {
      title: "Query database",
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  },
  {
    name: "read_file",
    title: "Read file",
    description:
      "Read a text file of the workspace, whole or a range of lines. Use it when you know the path. Do not use it to find a file: use `search_files`.",
    inputSchema: {
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
    },
    outputSchema: {
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
    },
    annotations: {
      title: "Read file",
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  },
  {
    name: "run_shell",
    title: "Run shell command",
    description:
      "Run one shell command in the workspace's root and return what it printed. Use it for builds, tests and version control. Do not use it to read or search files: use `read_file` and `search_files`.",
    inputSchema: {
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
    },
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
  },
  {
    name: "search_files",
    title: "Search files",
    description:
      "Find lines in the workspace's text files. Use it to locate code or text when you do not know the file. Do not use it to read a whole file: use `read_file`.",
    inputSchema: {
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
    },
    outputSchema: {
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
    },
    annotations: {
      title: "Search files",
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  },
  {
    name: "send_message",
    title: "Send message",
    description:
      "Send an e-mail to one or more people. Use it only after the user agreed to the text and to every address. Do not use it to take notes: use `write_file`.",
    inputSchema: {
      type: "object",
      properties: {
        to: {
          description: "The addresses, each once.",
          type: "array",
          items: { type: "string", format: "email", maxLength: 254 },
          minItems: 1,
          maxItems: 20,
          uniqueItems: true,
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
          description: "Further headers by name.",
          type: "object",
          propertyNames: { pattern: "^X-[A-Za-z0-9-]{1,60}$" },
          maxProperties: 10,
          additionalProperties: { type: "string", maxLength: 500 },
        },
      },
      required: ["to", "subject", "body"],
      additionalProperties: false,
    },
    outputSchema: {
      type: "object",
      properties: {
        messageId: { type: "string" },
        accepted: { type: "array", items: { type: "string" } },
      },
      required: ["messageId", "accepted"],
    },
    annotations: {
      title: "Send message",
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: true,
    },
  },
  {
    name: "stop_task",
    title: "Stop background task",
    description:
      "Stop a task that `run_shell` started in the background. Use it when the task is no longer needed. Do not use it on anything else than the id that was returned.",
    inputSchema: {
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
    outputSchema: {
      type: "object",
      properties: {
        stopped: {
          description: "false when the task had ended by itself.",
          type: "boolean",
        },
      },
      required: ["stopped"],
    },
    annotations: {
      title: "Stop background task",
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: true,
      openWorldHint: false,
    },
  },
  {
    name: "write_file",
    title: "Write file",
    description:
      "Write a whole text file in the workspace. Use it to create a file or to replace one on purpose. Do not use it for a notebook: use `edit_notebook`.",
    inputSchema: {
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
    },
    outputSchema: {
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
    },
    annotations: {
      title: "Write file",
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: false,
    },
  },
];
