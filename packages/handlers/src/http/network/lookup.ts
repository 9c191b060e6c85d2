import { isPublicAddress } from "../../../../runtime/src/declared/public-address.js";
import { lookup } from "node:dns/promises";
import type { LookupFunction } from "node:net";
import { PrivateAddress } from "./address.js";
import type { ResolvedAddress, Resolver } from "./resolver.js";

export const systemResolver: Resolver = (hostname) => lookup(hostname, { all: true });

/** Creates a socket's `lookup`, which returns vetted addresses only. */
export function vettingLookup(resolve: Resolver, allowsPrivate: boolean): LookupFunction {
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
