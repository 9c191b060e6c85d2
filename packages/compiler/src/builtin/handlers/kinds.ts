import type { BuiltInPlugin } from "../../context/plugins.js";
import type { HandlerKind } from "../../handlers/handler-kind.js";
import { defineHandlerKind } from "../../handlers/kinds.js";
import { commandFormats, type SpecCommand } from "./command/command-schema.js";
import { httpFormats, type SpecHttp } from "./http/http-schema.js";
import { mcpFormats, type SpecMcp } from "./mcp/mcp-schema.js";
import { loadSqlParser } from "./sql/parser.js";
import { sqlFormats, type SpecSql } from "./sql/sql-schema.js";

const http: HandlerKind = defineHandlerKind<SpecHttp>({
  name: "http",
  formats: httpFormats,
  load: async () => (await import("./parts.js")).httpParts,
});

const sql: HandlerKind = defineHandlerKind<SpecSql>({
  name: "sql",
  formats: sqlFormats,
  load: async () => {
    const [{ sqlParts }] = await Promise.all([import("./parts.js"), loadSqlParser()]);
    return sqlParts;
  },
});

const command: HandlerKind = defineHandlerKind<SpecCommand>({
  name: "command",
  formats: commandFormats,
  load: async () => (await import("./parts.js")).commandParts,
});

const mcpKind: HandlerKind = defineHandlerKind<SpecMcp>({
  name: "mcp",
  formats: mcpFormats,
  load: async () => (await import("./parts.js")).mcpParts,
});

/** The kinds of declared handlers that `@hasp/handlers` runs. */
export const handlers: BuiltInPlugin = { name: "handlers", handlerKinds: [http, sql, command] };

/** Tools of MCP servers as declared handlers. */
export const mcp: BuiltInPlugin = { name: "mcp", handlerKinds: [mcpKind] };
