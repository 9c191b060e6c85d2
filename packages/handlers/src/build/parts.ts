import { code } from "@hasp/compiler/code";
import { checkAddress, type HandlerKindParts, listAddresses, listOAuthPeers } from "@hasp/compiler/handlers";
import { CODEGEN_ENTRIES } from "@hasp/compiler/layout";
import { createRecordedCall } from "@hasp/compiler/plugin";
import { ENTRIES } from "./codegen/entries.js";
import { answerCommand, answerHttp, answerSql } from "./answers.js";
import { checkCommand, findCommandReferences, printCommand } from "./command/command-handler.js";
import type { SpecCommand } from "./command/command-schema.js";
import { kindDiagnostics } from "./findings/kind-diagnostics.js";
import { findCommandEffects } from "./command/effects.js";
import { findHttpEffects } from "./http/effects.js";
import { checkHttp, findHttpReferences, printHttp, printHttpConnection } from "./http/http-handler.js";
import type { SpecHttp } from "./http/http-schema.js";
import { findSqlEffects } from "./sql/effects.js";
import { expectCommand, expectHttp, expectHttpConnection, expectSql, expectSqlConnection } from "./expected.js";
import { checkSql, findSqlReferences, printSql, printSqlConnection } from "./sql/sql-handler.js";
import type { SpecSql } from "./sql/sql-schema.js";

export const httpParts: HandlerKindParts<SpecHttp> = {
  references: findHttpReferences,
  effects: (declaration, tool) => findHttpEffects(declaration, tool).map((effect) => ({ ...effect, sendsKey: true })),
  check: (declaration, tool, reportWith) => checkHttp(declaration, tool, reportWith(kindDiagnostics)),
  checkConnection: (connection, settings, report) => checkAddress(connection, settings, "baseUrl", report),
  addresses: ({ baseUrl }) => (baseUrl === undefined ? [] : listAddresses(baseUrl)),
  peers: (settings) => [ENTRIES.http, ...listOAuthPeers(settings, ENTRIES.oauth)],
  print: printHttp,
  printConnection: printHttpConnection,
  expect: expectHttp,
  expectConnection: expectHttpConnection,
  answer: answerHttp,
};

/** Requires `loadSqlParser`. */
export const sqlParts: HandlerKindParts<SpecSql> = {
  references: findSqlReferences,
  effects: findSqlEffects,
  check: (declaration, tool, reportWith) => checkSql(declaration, tool, reportWith(kindDiagnostics)),
  peers: ({ url }) => [...(url === undefined ? [] : ["pg"]), ENTRIES.sql],
  print: printSql,
  printConnection: printSqlConnection,
  expect: expectSql,
  expectConnection: expectSqlConnection,
  answer: answerSql,
};

export const commandParts: HandlerKindParts<SpecCommand> = {
  references: findCommandReferences,
  effects: findCommandEffects,
  check: (declaration, tool, reportWith) => checkCommand(declaration, tool, reportWith(kindDiagnostics)),
  print: printCommand,
  expect: expectCommand,
  answer: answerCommand,
};

/** Nothing is derived: what the spec says of such calls is a claim like any other. */
export const externalParts: HandlerKindParts = {
  takesWholeInput: "unbound",
  references: () => [],
  effects: () => [],
  check: () => undefined,
  print: (_declaration, { types }) => ({
    imports: { [CODEGEN_ENTRIES.runtime]: ["externalHandler"] },
    comment: "Somebody else executes the calls: `external` of the dispatcher, or a process that completes them.",
    value: code`externalHandler<${types}>()`,
  }),
  expect: () => createRecordedCall("externalHandler", CODEGEN_ENTRIES.runtime, []),
  answer: {
    entry: CODEGEN_ENTRIES.runtime,
    replace: (_functions, { output, error }, record) => ({
      externalHandler: () => (input: unknown) => {
        record({ input });
        if (error !== undefined) throw new Error(String(error));
        return output;
      },
    }),
  },
};
