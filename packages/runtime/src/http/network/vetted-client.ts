import type { Agent, ClientRequest, RequestOptions } from "node:http";
import { refusePrivateLiteral } from "./address.js";
import { systemResolver, vettingLookup } from "./lookup.js";
import type { Resolver } from "./resolver.js";

/** Settings that decide which addresses a connection reaches. */
export interface Reach {
  /** Finds the addresses of a host. Default: as the system does. */
  readonly resolve?: Resolver | undefined;
  /** Default `false`. */
  readonly allowPrivateAddresses?: boolean | undefined;
}

/** Node's client for one protocol, with its open connections. */
export interface VettedClient {
  readonly request: (options: RequestOptions) => ClientRequest;
  readonly agent: Agent;
}

/** Milliseconds after which an unused connection is closed: sooner than servers do, so that none closes under a request. */
const IDLE_MS = 4000;

/**
 * Finds the client for a URL, and loads `node:http` or `node:https` when it is first needed. All that a connection sends
 * goes through one of these: every address is vetted, and no connection is shared with code that does not vet its own.
 * The function rejects with `PrivateAddress` for a URL whose host is an address that the connection does not allow.
 */
export function vettedClients({
  resolve = systemResolver,
  allowPrivateAddresses = false,
}: Reach): (url: URL) => Promise<VettedClient> {
  const options = { keepAlive: true, timeout: IDLE_MS, lookup: vettingLookup(resolve, allowPrivateAddresses) };
  const clients = new Map<string, Promise<VettedClient>>();
  return async ({ protocol, hostname }) => {
    if (!allowPrivateAddresses) refusePrivateLiteral(hostname);
    const known = clients.get(protocol);
    if (known !== undefined) return known;
    const loaded = protocol === "https:" ? import("node:https") : import("node:http");
    const made = loaded.then(({ Agent, request }) => ({ request, agent: new Agent(options) }));
    clients.set(protocol, made);
    return made;
  };
}
