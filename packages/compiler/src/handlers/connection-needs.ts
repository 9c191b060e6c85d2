import type { JsonObject, JsonValue } from "@hasp/schema";
import { type Connections, connectionNameOf, declarationOf } from "../model/handlers.js";
import { isList, isObject, own, readOwnMember } from "@hasp/base/json";
import type { ToolSpec } from "../model/tool-spec.js";
import { CODEGEN_ENTRIES } from "../typescript/codegen-entries.js";
import { findReferences, type HandlerKinds } from "./kinds.js";

/** Collects what a tool needs, with the context members its handler reads: without them, restrictions would be lost. */
export function collectNeeds(
  spec: ToolSpec,
  connections: Connections | undefined,
  kinds: HandlerKinds,
): ToolSpec["needs"] {
  const declared = declarationOf(spec);
  if (declared === undefined) return spec.needs;
  const connection = connectionNameOf(declared);
  const read = [
    ...findReferences(declared, spec, kinds).flatMap(({ source, path }) =>
      source === "context" ? path.join(".") : [],
    ),
    ...Object.values(spec.bind ?? {}).map((value) => value.slice("context.".length)),
    ...(connection === undefined ? [] : membersIn(own(connections ?? {}, connection))),
  ];
  const context = [...new Set([...(spec.needs?.context ?? []), ...read])];
  return context.length === 0 ? spec.needs : { ...spec.needs, context };
}

function membersIn(settings: unknown): readonly string[] {
  if (isList(settings as never)) return (settings as readonly unknown[]).flatMap(membersIn);
  if (!isObject(settings)) return [];
  const { context, ...rest } = settings;
  return [...(typeof context === "string" ? [context] : []), ...Object.values(rest).flatMap(membersIn)];
}

interface Peer {
  readonly name: string;
  isNeeded(kind: string, settings: JsonObject): boolean;
}

/** Packages, and the entry points of hasp's own that generated code imports: another version may lack them. */
const PEERS: readonly Peer[] = [
  { name: "pg", isNeeded: (kind, { url }) => kind === "sql" && url !== undefined },
  { name: CODEGEN_ENTRIES.sql, isNeeded: (kind) => kind === "sql" },
  // The code that vets requests' addresses also vets those of servers.
  { name: CODEGEN_ENTRIES.http, isNeeded: (kind, { url }) => kind === "http" || (kind === "mcp" && url !== undefined) },
  { name: CODEGEN_ENTRIES.oauth, isNeeded: (_kind, { auth }) => hasOAuth(auth) },
  { name: CODEGEN_ENTRIES.mcp, isNeeded: (kind) => kind === "mcp" },
  { name: "@modelcontextprotocol/client", isNeeded: (kind, { context }) => kind === "mcp" && context === undefined },
  { name: "oauth4webapi", isNeeded: (_kind, { auth }) => hasOAuth(auth) },
];

/** Lists what calls through a connection import. `connection` maps its kind to its settings. */
export function listPeers(connection: JsonObject): readonly string[] {
  const [[kind, settings] = ["", {}]] = Object.entries(connection);
  const isNeeded = (peer: Peer): boolean => isObject(settings) && peer.isNeeded(kind, settings);
  return PEERS.filter(isNeeded).map(({ name }) => name);
}

/** Returns the package of an entry point of hasp's own; any other name is that of a package. */
export function findPeerPackage(peer: string): string {
  return /^@hasp\/[^/]+/u.exec(peer)?.[0] ?? peer;
}

function hasOAuth(auth: JsonValue | undefined): boolean {
  return (isList(auth) ? auth : [auth]).some((method) => readOwnMember(method, "oauth2") !== undefined);
}
