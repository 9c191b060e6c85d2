import { closed, flag, ref, text } from "@hasp/compiler/model";
import type { JsonObject } from "@hasp/base/json";
import { defineHandlerKind, type HandlerFormats } from "@hasp/compiler/handlers";
import type { BuiltInPlugin } from "@hasp/compiler/plugins";
import { ENTRIES } from "./entries.js";
import type { SpecMcp } from "./mcp-handler.js";

const mcpSchema: JsonObject = closed({
  description: "Calls a tool of an MCP server with the input and the bound values. No code is needed.",
  required: ["connection", "tool"],
  properties: {
    connection: ref("ConnectionName", "The connection whose server is called."),
    tool: text("The tool's name on that server."),
  },
  examples: [{ connection: "github", tool: "create_issue" }],
});

function without(...keys: readonly string[]): JsonObject {
  return { not: { anyOf: keys.map((key) => ({ required: [key] })) } };
}

const mcpConnectionSchema: JsonObject = closed({
  description: "An MCP server: a command that is started, an address, or a client in the context.",
  oneOf: [
    { required: ["command"], ...without("headers", "auth", "allowPrivateAddresses") },
    { required: ["url"], ...without("env", "cwd") },
    { required: ["context"], ...without("env", "cwd", "headers", "auth", "allowPrivateAddresses") },
  ],
  "x-expected": "{ command, env, cwd }, { url, headers, auth, allowPrivateAddresses } or { context: <member> }",
  properties: {
    command: {
      description: "The program that is the server, and its arguments.",
      type: "array",
      minItems: 1,
      items: { type: "string" },
      examples: [["npx", "@modelcontextprotocol/server-everything"]],
    },
    env: {
      description: "Environment variables that it receives, in addition to those that every program gets.",
      type: "array",
      uniqueItems: true,
      items: { $ref: "#/$defs/VariableName" },
    },
    cwd: text("The folder in which it runs. Default: the process's own."),
    url: { description: "The server's address.", $ref: "#/$defs/HttpUrl", examples: ["https://mcp.example.com/mcp"] },
    headers: {
      description: "Headers of every request, each from the environment or the context.",
      type: "object",
      additionalProperties: ref("Secret", "The header's value."),
    },
    auth: ref("Auth", "How requests are authorized: one way, or a list of ways that are all sent. Default: none."),
    allowPrivateAddresses: flag(
      "Allows addresses that are not public, such as loopback and private networks. Default: false.",
    ),
    context: ref("ContextMember", "The member of the context that is a connected client."),
  },
  examples: [{ command: ["npx", "@modelcontextprotocol/server-everything"] }],
});

const mcpRespondSchema: JsonObject = closed({
  description: "The server's answer, for a handler over MCP.",
  properties: {
    content: { description: "The content.", type: "array", items: { type: "object" } },
    structuredContent: { description: "The structured output." },
    isError: flag("Whether the call failed. Default: false."),
  },
});

const mcpRequestSchema: JsonObject = closed({
  description: "The call, for a handler over MCP.",
  properties: {
    tool: { description: "The tool's name.", type: "string" },
    arguments: { description: "The arguments.", type: "object" },
  },
});

const mcpFormats: HandlerFormats = {
  declaration: mcpSchema,
  connection: mcpConnectionSchema,
  command: "command",
  respond: mcpRespondSchema,
  request: mcpRequestSchema,
};

/** Tools of MCP servers as declared handlers. */
export const mcp: BuiltInPlugin = {
  name: "mcp",
  loadFindings: async () => (await import("./diagnostics.js")).mcpDiagnostics,
  handlerKinds: [
    defineHandlerKind<SpecMcp>({
      name: "mcp",
      entries: { [ENTRIES.mcp]: [], [ENTRIES.http]: [], [ENTRIES.oauth]: [] },
      formats: mcpFormats,
      load: async () => (await import("./mcp-handler.js")).mcpParts,
    }),
  ],
};
