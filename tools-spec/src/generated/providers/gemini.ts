// Made by hasp from the specs. Edits are lost: change the spec and run `hasp build`.

import type { GeminiTool } from "@hasp/runtime/codegen";

/** For `functionDeclarations` of an entry of Gemini's `config.tools`. */
export const tools: GeminiTool[] = [
  {
    name: "ask_user",
    description:
      "Ask the user one question and wait for the answer. Use it when you cannot go on without a decision. Do not use it for what another tool can find out.",
    parameters: {
      type: "OBJECT",
      properties: {
        question: {
          description: "The question, in one sentence.",
          type: "STRING",
          minLength: 1,
          maxLength: 500,
        },
        choices: {
          description:
            "Answers to choose from; omit them for a free answer. No item twice.",
          type: "ARRAY",
          items: { type: "STRING", minLength: 1, maxLength: 100 },
          minItems: 2,
          maxItems: 6,
        },
      },
      required: ["question"],
    },
  },
  {
    name: "delete_file",
    description:
      "Delete one file of the workspace for good. Use it only when the user asked for the deletion. Do not use it on folders, or to empty a file: use `write_file` for that.",
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
  },
  {
    name: "edit_notebook",
    description:
      "Replace, insert or delete one cell of a Jupyter notebook. Use it for .ipynb files. Do not use it for other files: use `write_file`.",
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
              description:
                "What to do to which cell. Cells are counted from 0.",
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
  },
  {
    name: "execute_sql",
    description:
      "Run one SQL statement against the application database. Use it to change records, or to read them in the same transaction mode. Do not use it for plain look-ups: use `query_database`.",
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
  },
  {
    name: "fetch_url",
    description:
      "Fetch a page or document by HTTP GET and return its text. Use it when you have an address. Do not use it to send data anywhere: it has no other method.",
    parameters: {
      type: "OBJECT",
      properties: {
        url: {
          description: "An http or https address. Format: uri.",
          type: "STRING",
          minLength: 8,
          maxLength: 2000,
        },
        accept: {
          description: 'The kind of document you want. Default: "text/html".',
          type: "STRING",
          enum: ["text/html", "text/plain", "application/json"],
        },
        maxBytes: {
          description: "Most bytes to read of the answer. Default: 200000.",
          type: "INTEGER",
          minimum: 1000,
          maximum: 2000000,
        },
      },
      required: ["url"],
    },
  },
  {
    name: "query_database",
    description:
      "Run one SQL query against the application database and return its rows. Use it to look up records or to count them. Do not use it to change anything: use `execute_sql`.",
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
  },
  {
    name: "read_file",
    description:
      "Read a text file of the workspace, whole or a range of lines. Use it when you know the path. Do not use it to find a file: use `search_files`.",
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
        lines: {
          title: "Range of lines",
          description:
            "The first and the last line, counted from 1, both included.",
          type: "OBJECT",
          properties: {
            first: {
              description: "First line to return.",
              type: "INTEGER",
              minimum: 1,
            },
            last: {
              description:
                "Last line to return; omit it to read to the end of the file.",
              type: "INTEGER",
              minimum: 1,
            },
          },
          required: ["first"],
        },
      },
      required: ["path"],
    },
  },
  {
    name: "run_shell",
    description:
      "Run one shell command in the workspace's root and return what it printed. Use it for builds, tests and version control. Do not use it to read or search files: use `read_file` and `search_files`.",
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
  },
  {
    name: "search_files",
    description:
      "Find lines in the workspace's text files. Use it to locate code or text when you do not know the file. Do not use it to read a whole file: use `read_file`.",
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
  },
  {
    name: "send_message",
    description:
      "Send an e-mail to one or more people. Use it only after the user agreed to the text and to every address. Do not use it to take notes: use `write_file`.",
    parameters: {
      type: "OBJECT",
      properties: {
        to: {
          description: "The addresses, each once. No item twice.",
          type: "ARRAY",
          items: {
            description: "Format: email.",
            type: "STRING",
            maxLength: 254,
          },
          minItems: 1,
          maxItems: 20,
        },
        subject: {
          description: "The subject line, without line breaks.",
          type: "STRING",
          minLength: 1,
          maxLength: 200,
        },
        body: {
          description: "The text of the message.",
          type: "STRING",
          minLength: 1,
          maxLength: 50000,
        },
        headers: {
          description: "Further headers by name. Each key once.",
          type: "ARRAY",
          items: {
            type: "OBJECT",
            properties: {
              key: { type: "STRING", pattern: "^X-[A-Za-z0-9-]{1,60}$" },
              value: { type: "STRING", maxLength: 500 },
            },
            required: ["key", "value"],
          },
          maxItems: 10,
        },
      },
      required: ["to", "subject", "body"],
    },
  },
  {
    name: "stop_task",
    description:
      "Stop a task that `run_shell` started in the background. Use it when the task is no longer needed. Do not use it on anything else than the id that was returned.",
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
  },
  {
    name: "write_file",
    description:
      "Write a whole text file in the workspace. Use it to create a file or to replace one on purpose. Do not use it for a notebook: use `edit_notebook`.",
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
        text: {
          description: "The new content of the file.",
          type: "STRING",
          maxLength: 1000000,
        },
        mode: {
          description: "create fails if the file exists already.",
          type: "STRING",
          enum: ["create", "replace"],
        },
      },
      required: ["path", "text", "mode"],
    },
  },
];
