// Made by hasp from the specs. Edits are lost: change the spec and run `hasp build`.

import type { GeminiJsonSchemaTool } from "@hasp/runtime/codegen";

/** For `functionDeclarations` of an entry of Gemini's `config.tools`. */
export const tools: GeminiJsonSchemaTool[] = [
  {
    name: "ask_user",
    description:
      "Ask the user one question and wait for the answer. Use it when you cannot go on without a decision. Do not use it for what another tool can find out.",
    parametersJsonSchema: {
      type: "object",
      properties: {
        question: {
          description:
            "The question, in one sentence. At least 1 character. At most 500 characters.",
          type: "string",
        },
        choices: {
          description:
            "Answers to choose from; omit them for a free answer. No item twice.",
          type: "array",
          items: {
            description: "At least 1 character. At most 100 characters.",
            type: "string",
          },
          minItems: 2,
          maxItems: 6,
        },
      },
      required: ["question"],
      additionalProperties: false,
    },
  },
  {
    name: "delete_file",
    description:
      "Delete one file of the workspace for good. Use it only when the user asked for the deletion. Do not use it on folders, or to empty a file: use `write_file` for that.",
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
  },
  {
    name: "edit_notebook",
    description:
      "Replace, insert or delete one cell of a Jupyter notebook. Use it for .ipynb files. Do not use it for other files: use `write_file`.",
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
  },
  {
    name: "execute_sql",
    description:
      "Run one SQL statement against the application database. Use it to change records, or to read them in the same transaction mode. Do not use it for plain look-ups: use `query_database`.",
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
  },
  {
    name: "fetch_url",
    description:
      "Fetch a page or document by HTTP GET and return its text. Use it when you have an address. Do not use it to send data anywhere: it has no other method.",
    parametersJsonSchema: {
      type: "object",
      properties: {
        url: {
          description:
            "An http or https address. At least 8 characters. At most 2000 characters.",
          type: "string",
          format: "uri",
        },
        accept: {
          description: 'The kind of document you want. Default: "text/html".',
          enum: ["text/html", "text/plain", "application/json"],
        },
        maxBytes: {
          description: "Most bytes to read of the answer. Default: 200000.",
          type: "integer",
          minimum: 1000,
          maximum: 2000000,
        },
      },
      required: ["url"],
      additionalProperties: false,
    },
  },
  {
    name: "query_database",
    description:
      "Run one SQL query against the application database and return its rows. Use it to look up records or to count them. Do not use it to change anything: use `execute_sql`.",
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
  },
  {
    name: "read_file",
    description:
      "Read a text file of the workspace, whole or a range of lines. Use it when you know the path. Do not use it to find a file: use `search_files`.",
    parametersJsonSchema: {
      type: "object",
      properties: {
        path: {
          title: "Path in the workspace",
          description:
            "A path relative to the workspace's root, with forward slashes. At least 1 character. At most 1024 characters.",
          type: "string",
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
  },
  {
    name: "run_shell",
    description:
      "Run one shell command in the workspace's root and return what it printed. Use it for builds, tests and version control. Do not use it to read or search files: use `read_file` and `search_files`.",
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
  },
  {
    name: "search_files",
    description:
      "Find lines in the workspace's text files. Use it to locate code or text when you do not know the file. Do not use it to read a whole file: use `read_file`.",
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
  },
  {
    name: "send_message",
    description:
      "Send an e-mail to one or more people. Use it only after the user agreed to the text and to every address. Do not use it to take notes: use `write_file`.",
    parametersJsonSchema: {
      type: "object",
      properties: {
        to: {
          description: "The addresses, each once. No item twice.",
          type: "array",
          items: {
            description: "At most 254 characters.",
            type: "string",
            format: "email",
          },
          minItems: 1,
          maxItems: 20,
        },
        subject: {
          description:
            "The subject line, without line breaks. At least 1 character. At most 200 characters.",
          type: "string",
        },
        body: {
          description:
            "The text of the message. At least 1 character. At most 50000 characters.",
          type: "string",
        },
        headers: {
          description:
            'Further headers by name. Each key fits this JSON Schema: {"pattern":"^X-[A-Za-z0-9-]{1,60}$"}. At most 10 properties.',
          type: "object",
          additionalProperties: {
            description: "At most 500 characters.",
            type: "string",
          },
        },
      },
      required: ["to", "subject", "body"],
      additionalProperties: false,
    },
  },
  {
    name: "stop_task",
    description:
      "Stop a task that `run_shell` started in the background. Use it when the task is no longer needed. Do not use it on anything else than the id that was returned.",
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
  },
  {
    name: "write_file",
    description:
      "Write a whole text file in the workspace. Use it to create a file or to replace one on purpose. Do not use it for a notebook: use `edit_notebook`.",
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
          description:
            "The new content of the file. At most 1000000 characters.",
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
  },
];
