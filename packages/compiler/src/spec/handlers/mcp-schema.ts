import type { JsonObject } from "@hasp/schema";

export const mcpSchema: JsonObject = {
  description: "Calls a tool of an MCP server with the input and the bound values. No code is needed.",
  type: "object",
  required: ["connection", "tool"],
  additionalProperties: false,
  properties: {
    connection: { description: "The connection whose server is called.", $ref: "#/$defs/ConnectionName" },
    tool: { description: "The tool's name on that server.", type: "string", minLength: 1 },
  },
  examples: [{ connection: "github", tool: "create_issue" }],
};

function without(...keys: readonly string[]): JsonObject {
  return { not: { anyOf: keys.map((key) => ({ required: [key] })) } };
}

export const mcpConnectionSchema: JsonObject = {
  description: "An MCP server: a command that is started, an address, or a client in the context.",
  type: "object",
  additionalProperties: false,
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
    cwd: { description: "The folder in which it runs. Default: the process's own.", type: "string", minLength: 1 },
    url: { description: "The server's address.", $ref: "#/$defs/HttpUrl", examples: ["https://mcp.example.com/mcp"] },
    headers: {
      description: "Headers of every request, each from the environment or the context.",
      type: "object",
      additionalProperties: { description: "The header's value.", $ref: "#/$defs/Secret" },
    },
    auth: {
      description: "How requests are authorised: one way, or a list of ways that are all sent. Default: none.",
      $ref: "#/$defs/Auth",
    },
    allowPrivateAddresses: {
      description: "Allows addresses that are not public, such as loopback and private networks. Default: false.",
      type: "boolean",
    },
    context: { description: "The member of the context that is a connected client.", $ref: "#/$defs/ContextMember" },
  },
  examples: [{ command: ["npx", "@modelcontextprotocol/server-everything"] }],
};

export const mcpRespondSchema: JsonObject = {
  description: "The server's answer, for a handler over MCP.",
  type: "object",
  additionalProperties: false,
  properties: {
    content: { description: "The content.", type: "array", items: { type: "object" } },
    structuredContent: { description: "The structured output." },
    isError: { description: "Whether the call failed. Default: false.", type: "boolean" },
  },
};

export const mcpRequestSchema: JsonObject = {
  description: "The call, for a handler over MCP.",
  type: "object",
  additionalProperties: false,
  properties: {
    tool: { description: "The tool's name.", type: "string" },
    arguments: { description: "The arguments.", type: "object" },
  },
};
