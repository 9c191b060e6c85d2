import { closed } from "../../model/field-schemas.js";
import type { JsonObject } from "@hasp/schema";
import type { HandlerKindName } from "../../model/handlers.js";
import { commandRequestSchema, commandRespondSchema, commandSchema } from "./command-schema.js";
import { httpConnectionSchema, httpRequestSchema, httpRespondSchema, httpSchema } from "./http-schema.js";
import { mcpConnectionSchema, mcpRequestSchema, mcpRespondSchema, mcpSchema } from "./mcp-schema.js";
import { sqlConnectionSchema, sqlRequestSchema, sqlRespondSchema, sqlSchema } from "./sql-schema.js";

interface HandlerFormat {
  /** The declaration in the spec format, with descriptions for newcomers. */
  readonly schema: JsonObject;
  /** The settings under `connections.<name>.<kind>` of the configuration; absent for a kind that connects to nothing. */
  readonly connectionSchema?: JsonObject;
  readonly respond: JsonObject;
  readonly request: JsonObject;
}

export const HANDLER_FORMATS: { readonly [Name in HandlerKindName]: HandlerFormat } = {
  http: {
    schema: httpSchema,
    connectionSchema: httpConnectionSchema,
    respond: httpRespondSchema,
    request: httpRequestSchema,
  },
  sql: {
    schema: sqlSchema,
    connectionSchema: sqlConnectionSchema,
    respond: sqlRespondSchema,
    request: sqlRequestSchema,
  },
  command: { schema: commandSchema, respond: commandRespondSchema, request: commandRequestSchema },
  mcp: {
    schema: mcpSchema,
    connectionSchema: mcpConnectionSchema,
    respond: mcpRespondSchema,
    request: mcpRequestSchema,
  },
  plugin: {
    schema: { description: "A handler of a kind that a plugin adds. The plugin says what it holds.", type: "object" },
    respond: closed({
      description: "The answer, for a handler of a plugin's kind.",
      properties: {
        output: { description: "What it returns." },
        error: { description: "What it throws instead.", type: "string" },
      },
    }),
    request: closed({
      description: "The call, for a handler of a plugin's kind.",
      properties: { input: { description: "The input with the bound values.", type: "object" } },
    }),
  },
};

/** The kinds with a key of their own under `handler`. */
export const handlerKindNames: readonly Exclude<HandlerKindName, "plugin">[] = (
  Object.keys(HANDLER_FORMATS) as readonly HandlerKindName[]
).filter((name) => name !== "plugin");
