import type { ClientRequest, RequestOptions } from "node:http";
import { refusePrivateLiteral } from "./address.js";
import { systemResolver, vettingLookup } from "./lookup.js";
import type { Resolver } from "./resolver.js";

/** Settings that decide which addresses a connection may reach. */
export interface Reach {
  /** Finds the addresses of a host. Default: the system's resolver. */
  readonly resolve?: Resolver | undefined;
  /** Default `false`. */
  readonly allowPrivateAddresses?: boolean | undefined;
}

export type VettedRequest = (options: RequestOptions) => ClientRequest;

/** Closes unused connections sooner than servers do, so that none closes during a request. */
const IDLE_MS = 4000;

/**
 * Prepares a request to a URL, and loads `node:http` or `node:https` on demand. Every request of a connection goes
 * through one of these: each address is vetted, and no connection is shared with code that does not vet its own. The
 * function rejects with `PrivateAddress` for a URL whose host is a forbidden address.
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
