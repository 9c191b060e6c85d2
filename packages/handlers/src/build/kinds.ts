import { closed } from "@hasp/compiler/model";
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

/** The kind of tools whose calls somebody else executes. */
const external: HandlerKind = defineHandlerKind<object>({
  name: "external",
  isBare: true,
  entries: {},
  formats: {
    declaration: closed({
      description:
        "Somebody else executes the calls: a page, a client or another process. The host gives `external` to the dispatcher, or completes stored calls.",
      properties: {},
    }),
    respond: closed({
      description: "The completion, for a tool that somebody else executes.",
      properties: {
        output: { description: "The output." },
        error: { description: "The reason why there is none.", type: "string" },
      },
    }),
    request: closed({
      description: "The call, for a tool that somebody else executes.",
      properties: { input: { description: "The input.", type: "object" } },
    }),
  },
  load: async () => (await import("./parts.js")).externalParts,
});

/** The kinds of declared handlers that `@hasp/handlers` runs, and the one that nobody runs here. */
export const handlers: BuiltInPlugin = {
  name: "handlers",
  handlerKinds: [http, sql, command, external],
  loadFindings: async () => (await import("./findings/kind-diagnostics.js")).kindDiagnostics,
};
