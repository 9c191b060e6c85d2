import type { JsonObject } from "@hasp/schema";
import { createRecordedCall, type RecordedCall } from "../../../handlers/expected-call.js";
import { expectAuth, expectClient, expectWholeInput } from "../../../handlers/expected-value.js";
import type { ExpectedSubject } from "../../../handlers/handler-kind.js";
import { CODEGEN_ENTRIES } from "../../../typescript/codegen-entries.js";
import type { SpecMcp } from "./mcp-schema.js";

export function expectMcp(declaration: SpecMcp, { tool, connection }: ExpectedSubject): RecordedCall {
  const settings = { tool: declaration.tool, input: expectWholeInput(tool) };
  return createRecordedCall("mcpHandler", CODEGEN_ENTRIES.mcp, [connection, settings]);
}

export function expectMcpConnection(settings: JsonObject, name: string): RecordedCall {
  const { context: _context, allowPrivateAddresses, ...plain } = settings;
  // The client of an MCP server is not the runtime's own.
  const needsFetch = plain["url"] !== undefined && allowPrivateAddresses !== true;
  return createRecordedCall("mcpConnection", CODEGEN_ENTRIES.mcp, [
    {
      name,
      ...plain,
      ...(needsFetch ? { fetch: createRecordedCall("publicFetch", CODEGEN_ENTRIES.http, []) } : {}),
      auth: expectAuth(settings, name),
      client: expectClient(settings),
    },
  ]);
}
