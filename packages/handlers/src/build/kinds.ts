import type { BuiltInPlugin } from "@hasp/compiler/plugins";
import { defineHandlerKind, type HandlerKind } from "@hasp/compiler/handlers";
import { commandFormats, type SpecCommand } from "./command/command-schema.js";
import { httpFormats, type SpecHttp } from "./http/http-schema.js";
import { ENTRIES } from "./codegen/entries.js";
import { loadSqlParser } from "./sql/parser.js";
import { sqlFormats, type SpecSql } from "./sql/sql-schema.js";

const http: HandlerKind = defineHandlerKind<SpecHttp>({
  name: "http",
  entries: { [ENTRIES.http]: [], [ENTRIES.oauth]: [] },
  formats: httpFormats,
  load: async () => (await import("./parts.js")).httpParts,
});

const sql: HandlerKind = defineHandlerKind<SpecSql>({
  name: "sql",
  entries: { [ENTRIES.sql]: [] },
  formats: sqlFormats,
  load: async () => {
    const [{ sqlParts }] = await Promise.all([import("./parts.js"), loadSqlParser()]);
    return sqlParts;
  },
});

const command: HandlerKind = defineHandlerKind<SpecCommand>({
  name: "command",
  startsProgram: true,
  entries: { [ENTRIES.command]: ["argument"] },
  formats: commandFormats,
  load: async () => (await import("./parts.js")).commandParts,
});

/** The kinds of declared handlers that `@hasp/handlers` runs. */
export const handlers: BuiltInPlugin = {
  name: "handlers",
  handlerKinds: [http, sql, command],
  loadFindings: async () => (await import("./findings/kind-diagnostics.js")).kindDiagnostics,
};
