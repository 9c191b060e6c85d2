import { checkSql } from "./check-sql.js";
import type { HandlerKind } from "../base/handler-kind.js";
import { findSqlEffects } from "./effects.js";
import { printSql, printSqlConnection, findSqlReferences } from "./print-sql.js";
import { sqlConnectionSchema, sqlRequestSchema, sqlRespondSchema, sqlSchema } from "./sql-schema.js";

export const sql: HandlerKind<"sql"> = {
  name: "sql",
  schema: sqlSchema,
  connectionSchema: sqlConnectionSchema,
  respond: sqlRespondSchema,
  request: sqlRequestSchema,
  references: findSqlReferences,
  effects: findSqlEffects,
  check: checkSql,
  module: printSql,
  connectionModule: printSqlConnection,
};
