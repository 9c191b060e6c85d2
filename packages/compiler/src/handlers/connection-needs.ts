import type { JsonObject } from "@hasp/schema";
import { type Connections, findConnectionName, declarationOf } from "../model/handlers.js";
import { isList, isObject, own, readOwnMember } from "@hasp/base/json";
import type { ToolSpec } from "../model/spec-keys.js";
import { findReferences, type HandlerKinds } from "./kinds.js";

/** Collects what a tool needs, with the context members its handler reads: without them, restrictions would be lost. */
export function collectNeeds(spec: ToolSpec, kinds: HandlerKinds, connections: Connections = {}): ToolSpec["needs"] {
  const declared = declarationOf(spec);
  if (declared === undefined) return spec.needs;
  const connection = findConnectionName(declared);
  const read = [
    ...findReferences(declared, spec, kinds).flatMap(({ source, path }) =>
      source === "context" ? path.join(".") : [],
    ),
    ...Object.values(spec.bind ?? {}).map((value) => value.slice("context.".length)),
    ...(connection === undefined ? [] : membersIn(own(connections, connection))),
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

/** Lists what OAuth imports, if a connection uses it. `entry` is its entry point. */
export function listOAuthPeers({ auth }: JsonObject, entry: string): readonly string[] {
  const isUsed = (isList(auth) ? auth : [auth]).some((method) => readOwnMember(method, "oauth2") !== undefined);
  return isUsed ? [entry, "oauth4webapi"] : [];
}

/** Lists what calls through a connection import. `connection` maps its kind to its settings. */
export function listConnectionPeers(connection: Connections[string], kinds: HandlerKinds): readonly string[] {
  return Object.entries(connection).flatMap(([kind, settings]) => kinds.partsOf(kind).peers?.(settings) ?? []);
}

/** Loads the kinds of connections and lists what calls through them import. */
export async function listPeers(
  connections: readonly Connections[string][],
  kinds: HandlerKinds,
): Promise<readonly string[]> {
  await kinds.load([], { connections: Object.fromEntries(connections.entries()) });
  return [...new Set(connections.flatMap((connection) => listConnectionPeers(connection, kinds)))];
}

/** Returns the package of an entry point of hasp's own; any other name is that of a package. */
export function findPeerPackage(peer: string): string {
  return /^@hasp\/[^/]+/u.exec(peer)?.[0] ?? peer;
}
