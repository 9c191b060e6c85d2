import type { HandlerKindParts } from "../../handlers/handler-kind.js";
import { checkAddress, listAddresses } from "../../handlers/addresses.js";
import { listOAuthPeers } from "../../handlers/connection-needs.js";
import { CODEGEN_ENTRIES } from "../../typescript/codegen-entries.js";
import { checkCommand, findCommandReferences, printCommand } from "./command/command-handler.js";
import type { SpecCommand } from "./command/command-schema.js";
import { findCommandEffects } from "./command/effects.js";
import { findHttpEffects } from "./http/effects.js";
import { checkHttp, findHttpReferences, printHttp, printHttpConnection } from "./http/http-handler.js";
import type { SpecHttp } from "./http/http-schema.js";
import { expectMcp, expectMcpConnection } from "./mcp/expected.js";
import { checkMcpConnection, printMcp, printMcpConnection } from "./mcp/mcp-handler.js";
import type { SpecMcp } from "./mcp/mcp-schema.js";
import { findSqlEffects } from "./sql/effects.js";
import { expectCommand, expectHttp, expectHttpConnection, expectSql, expectSqlConnection } from "./expected.js";
import { checkSql, findSqlReferences, printSql, printSqlConnection } from "./sql/sql-handler.js";
import type { SpecSql } from "./sql/sql-schema.js";

export const httpParts: HandlerKindParts<SpecHttp> = {
  references: findHttpReferences,
  effects: findHttpEffects,
  check: checkHttp,
  checkConnection: (connection, settings, report) => checkAddress(connection, settings, "baseUrl", report),
  addresses: ({ baseUrl }) => (baseUrl === undefined ? [] : listAddresses(baseUrl)),
  peers: (settings) => [CODEGEN_ENTRIES.http, ...listOAuthPeers(settings)],
  print: printHttp,
  printConnection: printHttpConnection,
  expect: expectHttp,
  expectConnection: expectHttpConnection,
};

/** Requires `loadSqlParser`. */
export const sqlParts: HandlerKindParts<SpecSql> = {
  references: findSqlReferences,
  effects: findSqlEffects,
  check: checkSql,
  peers: ({ url }) => [...(url === undefined ? [] : ["pg"]), CODEGEN_ENTRIES.sql],
  print: printSql,
  printConnection: printSqlConnection,
  expect: expectSql,
  expectConnection: expectSqlConnection,
};

export const commandParts: HandlerKindParts<SpecCommand> = {
  references: findCommandReferences,
  effects: findCommandEffects,
  check: checkCommand,
  print: printCommand,
  expect: expectCommand,
};

export const mcpParts: HandlerKindParts<SpecMcp> = {
  takesWholeInput: true,
  references: () => [],
  // A server's statements about its tools are hints, not proofs.
  effects: () => [],
  check: () => {},
  checkConnection: checkMcpConnection,
  peers: (settings) => [
    // The code that vets requests' addresses also vets those of servers.
    ...(settings["url"] === undefined ? [] : [CODEGEN_ENTRIES.http]),
    CODEGEN_ENTRIES.mcp,
    ...(settings["context"] === undefined ? ["@modelcontextprotocol/client"] : []),
    ...listOAuthPeers(settings),
  ],
  print: printMcp,
  printConnection: printMcpConnection,
  expect: expectMcp,
  expectConnection: expectMcpConnection,
};
