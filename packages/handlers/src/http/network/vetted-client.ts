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
    if (!allowPrivateAddresses) refusePrivateLiteral(hostname);
    const client = clients.get(protocol) ?? load(protocol);
    clients.set(protocol, client);
    const host = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
    const request = await client;
    return (each) => request({ ...each, protocol, hostname: host, port, path: pathname + search });
  };
}

export class PrivateAddress extends Error {
  constructor(hostname: string) {
    super(`${hostname} resolves to an address that is not public, which the connection does not allow`);
  }
}

/** Refuses a literal address. `vettingLookup` vets names, since they may lead elsewhere by connection time. */
function refusePrivateLiteral(hostname: string): void {
  const literal = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
  if (isIP(literal) !== 0 && !isPublicAddress(literal)) throw new PrivateAddress(hostname);
}

const systemResolver: Resolver = (hostname) => lookup(hostname, { all: true });

function vettingLookup(resolve: Resolver, allowsPrivate: boolean): LookupFunction {
  const vetted = async (
    hostname: string,
    family: unknown,
  ): Promise<readonly [ResolvedAddress, ...ResolvedAddress[]]> => {
    const found = await resolve(hostname);
    const [first, ...others] = found.filter((each) => (family !== 4 && family !== 6 ? true : each.family === family));
    if (first === undefined) throw Object.assign(new Error(`${hostname} has no address`), { code: "ENOTFOUND" });
    const addresses = [first, ...others] as const;
    if (allowsPrivate || addresses.every(({ address }) => isPublicAddress(address))) return addresses;
    throw new PrivateAddress(hostname);
  };
  return (hostname, options, callback) => {
    vetted(hostname, options.family).then(
      (addresses) =>
        options.all === true
          ? callback(null, [...addresses])
          : callback(null, addresses[0].address, addresses[0].family),
      (error: NodeJS.ErrnoException) => callback(error, "", 0),
    );
  };
}
