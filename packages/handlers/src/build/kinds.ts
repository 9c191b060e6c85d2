import { code } from "@hasp/compiler/code";
import { CODEGEN_ENTRIES } from "@hasp/compiler/layout";
import { closed } from "@hasp/compiler/model";
import { createRecordedCall } from "@hasp/compiler/plugin";
import type { BuiltInPlugin } from "@hasp/compiler/plugins";
import { defineHandlerKind, type HandlerKind, type HandlerKindParts } from "@hasp/compiler/handlers";
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

/** Nothing is derived: what the spec says of such calls is a claim like any other. */
const externalParts: HandlerKindParts = {
  takesWholeInput: "unbound",
  references: () => [],
  effects: () => [],
  check: () => undefined,
  print: (_declaration, { types }) => ({
    imports: { [CODEGEN_ENTRIES.runtime]: ["externalHandler"] },
    comment: "Somebody else executes the calls: `external` of the dispatcher, or whoever completes them.",
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
  load: async () => externalParts,
});

/** The kinds of declared handlers that `@hasp/handlers` runs, and the one that nobody runs here. */
export const handlers: BuiltInPlugin = {
  name: "handlers",
  handlerKinds: [http, sql, command, external],
  loadFindings: async () => (await import("./findings/kind-diagnostics.js")).kindDiagnostics,
};
