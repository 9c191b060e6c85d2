import type { JsonObject, JsonValue } from "@hasp/schema";
import { isList, isObject } from "../../../model/json-kind.js";
import { ownMember } from "../../../model/own.js";

/** A package that some connections load and that `@hasp/runtime` does not contain. */
interface Peer {
  readonly name: string;
  isNeeded(kind: string, settings: JsonObject): boolean;
}

const PEERS: readonly Peer[] = [
  { name: "pg", isNeeded: (kind, { url }) => kind === "sql" && url !== undefined },
  {
    name: "@hasp/handlers",
    // The code that vets requests' addresses also vets those of servers.
    isNeeded: (kind, { url, auth }) => kind === "http" || kind === "sql" || url !== undefined || hasOAuth(auth),
  },
  { name: "@hasp/mcp", isNeeded: (kind) => kind === "mcp" },
  { name: "@modelcontextprotocol/client", isNeeded: (kind, { context }) => kind === "mcp" && context === undefined },
  { name: "oauth4webapi", isNeeded: (_kind, { auth }) => hasOAuth(auth) },
];

/** Lists the packages that calls through a connection load. `connection` maps its kind to its settings. */
export function listPeers(connection: JsonObject): readonly string[] {
  const [[kind, settings] = ["", {}]] = Object.entries(connection);
  const isNeeded = (peer: Peer): boolean => isObject(settings) && peer.isNeeded(kind, settings);
  return PEERS.filter(isNeeded).map(({ name }) => name);
}

function hasOAuth(auth: JsonValue | undefined): boolean {
  return (isList(auth) ? auth : [auth]).some((method) => ownMember(method, "oauth2") !== undefined);
}
