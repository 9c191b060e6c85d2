import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import { connectionNameOf, declarationOf } from "../../model/handlers/declaration-of.js";
import type { HandlerKindName } from "../../model/handlers/declaration.js";
import { escapeToken } from "../../model/json-pointer.js";
import { own } from "../../model/own.js";
import type { FlatTool } from "../../model/tool.js";
import { handlerDiagnostics } from "./base/diagnostics.js";
import type { HandlerPlan, ReportConnection } from "./base/handler-check.js";
import { listPeers } from "./base/peers.js";
import { HANDLER_KINDS } from "./kinds.js";

/** Checks each connection of the configuration once. */
export function checkConnections(
  tools: readonly Pick<FlatTool, "spec">[],
  { connections = {}, locations, missingPeers = [] }: HandlerPlan,
): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  const declared = tools.map(({ spec }) => declarationOf(spec));
  const used = new Set(declared.map((each) => each && connectionNameOf(each)));
  // User code may use any connection.
  const isComplete = tools.length > 0 && declared.every((each) => each !== undefined);
  for (const [connection, settings] of Object.entries(connections)) {
    const location = own(locations, `/connections/${escapeToken(connection)}`);
    const report: ReportConnection = (name, parameters) => {
      diagnostics.push(handlerDiagnostics(name, location, parameters));
    };
    for (const [kind, each] of Object.entries(settings)) {
      HANDLER_KINDS[kind as HandlerKindName].checkConnection?.(connection, each, report);
    }
    for (const name of listPeers(settings).filter((peer) => missingPeers.includes(peer))) {
      diagnostics.push(handlerDiagnostics("missing-package", location, { connection, name }));
    }
    if (isComplete && !used.has(connection)) {
      diagnostics.push(handlerDiagnostics("unused-connection", location, { connection }));
    }
  }
  return diagnostics;
}
