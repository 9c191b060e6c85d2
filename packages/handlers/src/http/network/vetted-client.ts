import type { ClientRequest, RequestOptions } from "node:http";
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

/** Begins a request through Node's client and its open connections. */
export type VettedRequest = (options: RequestOptions) => ClientRequest;

/** Milliseconds after which an unused connection is closed: sooner than servers do, so that none closes under a request. */
const IDLE_MS = 4000;

/**
 * Prepares a request to a URL, and loads `node:http` or `node:https` when it is first needed. All that a connection sends
 * goes through one of these: every address is vetted, and no connection is shared with code that does not vet its own.
 * The function rejects with `PrivateAddress` for a URL whose host is an address that the connection does not allow.
 */
export function vettedClients({
  resolve = systemResolver,
  allowPrivateAddresses = false,
}: Reach): (url: URL) => Promise<VettedRequest> {
  const options = { keepAlive: true, timeout: IDLE_MS, lookup: vettingLookup(resolve, allowPrivateAddresses) };
  const clients = new Map<string, Promise<VettedRequest>>();
  const load = async (protocol: string): Promise<VettedRequest> => {
    const { Agent, request } = await (protocol === "https:" ? import("node:https") : import("node:http"));
    const agent = new Agent(options);
    return (each) => request({ ...each, agent });
  };
  return async ({ protocol, hostname, port, pathname, search }) => {
    if (!allowPrivateAddresses) refusePrivateLiteral(hostname);
    const client = clients.get(protocol) ?? load(protocol);
    clients.set(protocol, client);
    const host = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
    const request = await client;
    return (each) => request({ ...each, protocol, hostname: host, port, path: pathname + search });
  };
}
