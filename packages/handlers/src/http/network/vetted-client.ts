import type { ClientRequest, RequestOptions } from "node:http";
import { lookup } from "node:dns/promises";
import { type LookupFunction, isIP } from "node:net";
import { isPublicAddress } from "@hasp/base/declared";

interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

export type Resolver = (hostname: string) => Promise<readonly ResolvedAddress[]>;

export interface Reach {
  readonly resolve?: Resolver | undefined;
  /** Default `false`. */
  readonly allowPrivateAddresses?: boolean | undefined;
}

export type VettedRequest = (options: RequestOptions) => ClientRequest;

/** Closes unused connections sooner than servers do, so that none closes during a request. */
const IDLE_MS = 4000;

/**
 * Prepares requests, for which it loads `node:http` or `node:https` on demand. Each address is vetted, and no
 * connection is shared with code that does not. Rejects with `PrivateAddress` for a URL whose host is a forbidden
 * address.
 */
export function createVettedClients({
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
    const host = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
    // `vettingLookup` vets names, since they may lead elsewhere by connection time.
    if (!allowPrivateAddresses && isIP(host) !== 0 && !isPublicAddress(host)) throw new PrivateAddress(hostname);
    const client = clients.get(protocol) ?? load(protocol);
    clients.set(protocol, client);
    const request = await client;
    return (each) => request({ ...each, protocol, hostname: host, port, path: pathname + search });
  };
}

export class PrivateAddress extends Error {
  constructor(hostname: string) {
    super(`${hostname} resolves to an address that is not public, which the connection does not allow`);
  }
}

const systemResolver: Resolver = (hostname) => lookup(hostname, { all: true });

function vettingLookup(resolve: Resolver, allowsPrivate: boolean): LookupFunction {
  const vetted = async (hostname: string, family: unknown): Promise<readonly ResolvedAddress[]> => {
    const found = await resolve(hostname);
    const addresses = found.filter((each) => (family !== 4 && family !== 6) || each.family === family);
    if (addresses.length === 0) throw Object.assign(new Error(`${hostname} has no address`), { code: "ENOTFOUND" });
    if (allowsPrivate || addresses.every(({ address }) => isPublicAddress(address))) return addresses;
    throw new PrivateAddress(hostname);
  };
  return (hostname, options, callback) => {
    vetted(hostname, options.family).then(
      (addresses) =>
        options.all === true
          ? callback(null, [...addresses])
          : callback(null, addresses[0]?.address ?? "", addresses[0]?.family),
      (error: NodeJS.ErrnoException) => callback(error, "", 0),
    );
  };
}
