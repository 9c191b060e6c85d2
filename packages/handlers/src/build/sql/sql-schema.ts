import { closed, ref } from "@hasp/compiler/model";
import type { JsonObject } from "@hasp/base/json";
import type { HandlerFormats } from "@hasp/compiler/handlers";

export interface SpecSql {
  readonly connection: string;
  /** With placeholders: `SELECT … WHERE id = $id`. */
  readonly statement: string;
  readonly maxRows?: number;
}

const sqlSchema: JsonObject = closed({
  description: "Runs one SQL statement on Postgres. No code is needed.",
  required: ["connection", "statement"],
  properties: {
    connection: ref("ConnectionName", "The connection whose database is used."),
    statement: {
      description:
        "One statement. `$name` stands for a bound value or the input property of that name, `$context.name` for a member of the context; values are sent separately, never as part of the statement.",
      type: "string",
      pattern: "\\S",
      "x-expected": "one SQL statement",
      examples: ["SELECT id, total FROM orders WHERE customer_id = $customerId ORDER BY id LIMIT $limit"],
    },
    maxRows: {
      description: "The most rows to fetch; the output says whether there are more. Default: 1000.",
      type: "integer",
      minimum: 1,
      maximum: 1_000_000,
    },
  },
  examples: [{ connection: "app-db", statement: "SELECT id, total FROM orders WHERE customer_id = $customerId" }],
});

const sqlConnectionSchema: JsonObject = closed({
  description: "A Postgres database.",
  minProperties: 1,
  maxProperties: 1,
  "x-expected": "{ context: <member> } or { url: { env: <VARIABLE> } }",
  properties: {
    context: ref(
      "ContextMember",
      "The member of the context that has `query(text, values)`: a pool or a client of `pg`.",
    ),
    url: closed({
      description: "The database's address, from which a pool is opened; the project must install `pg`.",
      required: ["env"],
      properties: {
        env: ref("VariableName", "The environment variable that holds it."),
      },
      "x-expected": "{ env: <VARIABLE> }; the configuration contains no secrets",
    }),
  },
  examples: [{ context: "db" }, { url: { env: "DATABASE_URL" } }],
});

const sqlRespondSchema: JsonObject = closed({
  description: "The database's answer, for a handler over SQL: rows, or an error.",
  not: { required: ["error", "rows"] },
  properties: {
    rows: { description: "The rows.", type: "array", items: { type: "object" } },
    rowCount: { description: "How many rows were changed or returned.", type: "integer", minimum: 0 },
    error: closed({
      description: "The database's error.",
      required: ["message"],
      properties: {
        code: { description: "Its SQLSTATE.", type: "string" },
        message: { description: "Its message.", type: "string" },
      },
    }),
  },
});

const sqlRequestSchema: JsonObject = closed({
  description: "What the database is sent, for a handler over SQL.",
  properties: {
    text: { description: "The statement, with `$1` for its first value.", type: "string" },
    values: { description: "The values in order.", type: "array" },
  },
});

export const sqlFormats: HandlerFormats = {
  declaration: sqlSchema,
  connection: sqlConnectionSchema,
  respond: sqlRespondSchema,
  request: sqlRequestSchema,
};
