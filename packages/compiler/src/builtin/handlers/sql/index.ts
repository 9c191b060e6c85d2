import { checkSql } from "./check-sql.js";
import type { HandlerKind } from "../base/handler-kind.js";
import { sqlEffects } from "./effects.js";
import { printSql, printSqlConnection, sqlReferences } from "./print-sql.js";
import { sqlConnectionSchema, sqlRequestSchema, sqlRespondSchema, sqlSchema } from "./sql-schema.js";

export const sql: HandlerKind<"sql"> = {
  name: "sql",
  schema: sqlSchema,
  connectionSchema: sqlConnectionSchema,
  respond: sqlRespondSchema,
  request: sqlRequestSchema,
  references: sqlReferences,
  effects: sqlEffects,
  check: checkSql,
  module: printSql,
  connectionModule: printSqlConnection,
};
