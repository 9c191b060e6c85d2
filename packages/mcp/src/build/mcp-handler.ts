import { isList, type JsonObject, readOwnMember } from "@hasp/base/json";
import { code, type Code, type Data, name, printObjectLiteral } from "@hasp/compiler/code";
import {
  checkAddress,
  chooseContextType,
  type ConnectionModule,
  type ConnectionSubject,
  type GeneratedModule,
  type HandlerKindParts,
  listOAuthPeers,
  type ModuleScope,
  type ModuleSubject,
  printAuth,
  printWholeInput,
  type RecordRequest,
  type ReportConnection,
} from "@hasp/compiler/handlers";
import { ENTRIES } from "./entries.js";
import type * as mcpEntry from "@hasp/mcp/handler/v1";
import { mcpDiagnostics } from "./diagnostics.js";
import { expectMcp, expectMcpConnection } from "./expected.js";

export interface SpecMcp {
  readonly connection: string;
  readonly tool: string;
}

export const mcpParts: HandlerKindParts<SpecMcp> = {
  takesWholeInput: true,
  references: () => [],
  // A server's statements about its tools are hints, not proofs.
  effects: () => [],
  check: () => {},
  checkConnection: checkMcpConnection,
  peers: (settings) => [
    // The code that vets requests' addresses also vets those of servers.
    ...(settings["url"] === undefined ? [] : [ENTRIES.http]),
    ENTRIES.mcp,
    ...(settings["context"] === undefined ? ["@modelcontextprotocol/client"] : []),
    ...listOAuthPeers(settings, ENTRIES.oauth),
  ],
  print: printMcp,
  printConnection: printMcpConnection,
  expect: expectMcp,
  expectConnection: expectMcpConnection,
  answer: { entry: ENTRIES.mcp, replace: replaceMcp },
};

function printMcp(declaration: SpecMcp, { tool, types, connection }: ModuleSubject): GeneratedModule {
  const entries = { tool: declaration.tool, input: printWholeInput(tool) };
  return {
    imports: { [ENTRIES.mcp]: ["mcpHandler"] },
    comment: `The tool ${declaration.tool} of ${declaration.connection}.`,
    value: code`mcpHandler<${types}>(${connection}, ${printObjectLiteral(entries)})`,
  };
}

function printMcpConnection(settings: JsonObject, subject: ConnectionSubject): ConnectionModule {
  const { auth, context, allowPrivateAddresses, ...plain } = settings;
  const { data, imports } = printAuth(settings, subject.name, ENTRIES.oauth);
  const isVetted = readOwnMember(settings, "url") !== undefined && allowPrivateAddresses !== true;
  const client: { readonly client?: Code } =
    typeof context === "string" ? { client: code`(context) => context.${name(context)}` } : {};
  const entries = {
    name: subject.name,
    ...(plain as { readonly [key: string]: Data }),
    auth: data,
    fetch: isVetted ? code`publicFetch()` : undefined,
    ...client,
  };
  const readers = { auth: auth ?? null, headers: readOwnMember(settings, "headers") ?? null, context: context ?? null };
  return {
    from: ENTRIES.mcp,
    create: "mcpConnection",
    type: "McpHandlerConnection",
    argument: chooseContextType(readers, subject),
    settings: printObjectLiteral(entries),
    imports: { ...(isVetted ? { [ENTRIES.http]: ["publicFetch"] } : {}), ...imports },
    comment: `The MCP server ${subject.name}.`,
  };
}

/** Reports an unreachable server, and credentials where the protocol has no place for them. */
function checkMcpConnection(connection: string, settings: JsonObject, report: ReportConnection): void {
  const { url, auth = [] } = settings;
  if (url !== undefined) checkAddress(connection, settings, "url", report);
  for (const method of isList(auth) ? auth : [auth]) {
    const place = readOwnMember(readOwnMember(method, "apiKey"), "in");
    if (place !== undefined && place !== "header") {
      report(mcpDiagnostics, "key-of-server", { connection, place: String(place) });
    }
  }
}

/** Tests send and read no credentials. */
function replaceMcp(functions: ModuleScope, respond: JsonObject, record: RecordRequest): ModuleScope {
  const mcp = functions as typeof mcpEntry;
  const client = {
    listTools: async () => ({ tools: [] }),
    callTool: async ({ name, arguments: sent }: { readonly name: string; readonly arguments: object }) => {
      record({ tool: name, arguments: sent ?? {} });
      return { content: [], ...respond };
    },
  };
  return {
    ...mcp,
    mcpConnection: ({ name }: { readonly name: string }) => mcp.mcpConnection({ name, client: () => client }),
    oauthTokens: () => undefined,
    tokenStore: () => undefined,
  };
}
