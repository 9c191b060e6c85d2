import type { BuiltInPlugin } from "../../context/plugins.js";
import { checkAddress } from "../../handlers/handler-check.js";
import type { HandlerKind } from "../../handlers/handler-kind.js";
import type { SpecCommand, SpecHttp, SpecMcp, SpecSql } from "../../model/handlers.js";
import { checkCommand, findCommandReferences, printCommand } from "./command/command-handler.js";
import { findCommandEffects } from "./command/effects.js";
import { findHttpEffects } from "./http/effects.js";
import { checkHttp, findHttpReferences, printHttp, printHttpConnection } from "./http/http-handler.js";
import { checkMcpConnection, printMcp, printMcpConnection } from "./mcp/mcp-handler.js";
import { findSqlEffects } from "./sql/effects.js";
import { loadSqlParser } from "./sql/parser.js";
import { checkSql, findSqlReferences, printSql, printSqlConnection } from "./sql/sql-handler.js";

const http: HandlerKind<SpecHttp> = {
  name: "http",
  references: findHttpReferences,
  effects: findHttpEffects,
  check: checkHttp,
  checkConnection: (connection, settings, report) => checkAddress(connection, settings, "baseUrl", report),
  module: printHttp,
  connectionModule: printHttpConnection,
};

const sql: HandlerKind<SpecSql> = {
  name: "sql",
  prepare: loadSqlParser,
  references: findSqlReferences,
  effects: findSqlEffects,
  check: checkSql,
  module: printSql,
  connectionModule: printSqlConnection,
};

const command: HandlerKind<SpecCommand> = {
  name: "command",
  references: findCommandReferences,
  effects: findCommandEffects,
  check: checkCommand,
  module: printCommand,
};

const mcpKind: HandlerKind<SpecMcp> = {
  name: "mcp",
  takesWholeInput: true,
  references: () => [],
  // A server's statements about its tools are hints, not proofs.
  effects: () => [],
  check: () => {},
  checkConnection: checkMcpConnection,
  module: printMcp,
  connectionModule: printMcpConnection,
};

/** The kinds of declared handlers that `@hasp/handlers` runs. */
export const handlers: BuiltInPlugin = { name: "handlers", handlerKinds: [http, sql, command] };

/** Tools of MCP servers as declared handlers. */
export const mcp: BuiltInPlugin = { name: "mcp", handlerKinds: [mcpKind] };
