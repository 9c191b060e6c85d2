import { isPublicAddress } from "../../../../runtime/src/declared/public-address.js";
import { isIP } from "node:net";

/** Thrown instead of connecting to an address that is not public. */
export class PrivateAddress extends Error {
  constructor(hostname: string) {
    super(`${hostname} resolves to an address that is not public, which the connection does not allow`);
  }
}

/**
 * Refuses a host that is an address and not public. Names are left to `vettingLookup`: what they lead to may have
 * changed by the time of the connection.
 */
export function refusePrivateLiteral(hostname: string): void {
  const literal = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
  if (isIP(literal) !== 0 && !isPublicAddress(literal)) throw new PrivateAddress(hostname);
}
