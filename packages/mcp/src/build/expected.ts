import type { JsonObject } from "@hasp/base/json";
import { createRecordedCall, type RecordedCall } from "@hasp/compiler/plugin";
import { expectAuth, expectClient, type ExpectedSubject, expectWholeInput } from "@hasp/compiler/handlers";
import { ENTRIES } from "./entries.js";

export function expectMcp(declaration: { readonly tool: string }, { tool, connection }: ExpectedSubject): RecordedCall {
  const settings = { tool: declaration.tool, input: expectWholeInput(tool) };
  return createRecordedCall("mcpHandler", ENTRIES.mcp, [connection, settings]);
}

export function expectMcpConnection(settings: JsonObject, name: string): RecordedCall {
  const { context: _context, allowPrivateAddresses, ...plain } = settings;
  // The client of an MCP server is not the runtime's own.
  const needsFetch = plain["url"] !== undefined && allowPrivateAddresses !== true;
  return createRecordedCall("mcpConnection", ENTRIES.mcp, [
    {
      name,
      ...plain,
      ...(needsFetch ? { fetch: createRecordedCall("publicFetch", ENTRIES.http, []) } : {}),
      auth: expectAuth(settings, name, ENTRIES.oauth),
      client: expectClient(settings),
    },
  ]);
}
