import { type HandlerKindName, declarationOf, type KindedDeclaration, type Effect } from "../../model/handlers.js";
import type { HandlerKind } from "../../handlers/handler-kind.js";
import type { FlatTool } from "../../model/tool.js";
import type { ToolSpec } from "../../model/tool-spec.js";
import type { ValueReference } from "../../handlers/references.js";
import { checkPluginKind, printPluginKind } from "../../handlers/plugin-kind.js";
import { checkMcpConnection, printMcp, printMcpConnection } from "./mcp/mcp-handler.js";
import { checkCommand, findCommandReferences, printCommand } from "./command/command-handler.js";
import { findCommandEffects } from "./command/effects.js";
import { checkSql, printSql, printSqlConnection, findSqlReferences } from "./sql/sql-handler.js";
import { findSqlEffects } from "./sql/effects.js";
import { checkAddress } from "../../handlers/handler-check.js";
import { checkHttp, printHttp, printHttpConnection, findHttpReferences } from "./http/http-handler.js";
import { findHttpEffects } from "./http/effects.js";

const http: HandlerKind<"http"> = {
  name: "http",
  references: findHttpReferences,
  effects: findHttpEffects,
  check: checkHttp,
  checkConnection: (connection, settings, report) => checkAddress(connection, settings, "baseUrl", report),
  module: printHttp,
  connectionModule: printHttpConnection,
};

const sql: HandlerKind<"sql"> = {
  name: "sql",
  references: findSqlReferences,
  effects: findSqlEffects,
  check: checkSql,
  module: printSql,
  connectionModule: printSqlConnection,
};

const command: HandlerKind<"command"> = {
  name: "command",
  references: findCommandReferences,
  effects: findCommandEffects,
  check: checkCommand,
  module: printCommand,
};

const mcp: HandlerKind<"mcp"> = {
  name: "mcp",
  takesWholeInput: true,
  references: () => [],
  // A server's statements about its tools are hints, not proofs.
  effects: () => [],
  check: () => {},
  checkConnection: checkMcpConnection,
  module: printMcp,
  connectionModule: printMcpConnection,
};

const plugin: HandlerKind<"plugin"> = {
  name: "plugin",
  takesWholeInput: true,
  references: () => [],
  // A plugin's statements prove nothing.
  effects: () => [],
  check: checkPluginKind,
  module: printPluginKind,
};

export const HANDLER_KINDS: { readonly [Name in HandlerKindName]: HandlerKind<Name> } = {
  http,
  sql,
  command,
  mcp,
  plugin,
};

type EffectsTool = Pick<FlatTool, "input" | "spec">;

export function findEffects(tool: EffectsTool): readonly Effect[] | undefined {
  const declared = declarationOf(tool.spec);
  return declared === undefined ? undefined : findKindEffects(declared, tool);
}

function findKindEffects<Kind extends HandlerKindName>(
  { kind, declaration }: KindedDeclaration<Kind>,
  tool: EffectsTool,
): readonly Effect[] {
  return HANDLER_KINDS[kind].effects(declaration, tool);
}

export function findReferences<Kind extends HandlerKindName>(
  { kind, declaration }: KindedDeclaration<Kind>,
  { bind = {} }: Pick<ToolSpec, "bind">,
): readonly ValueReference[] {
  return HANDLER_KINDS[kind].references(declaration, bind);
}
