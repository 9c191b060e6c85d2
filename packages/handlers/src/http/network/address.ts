import { isPublicAddress } from "../../../../runtime/src/declared/public-address.js";
import { isIP } from "node:net";

export class PrivateAddress extends Error {
  constructor(hostname: string) {
    super(`${hostname} resolves to an address that is not public, which the connection does not allow`);
  }
}

/**
 * Refuses a host that is a private address. Names are left to `vettingLookup`: they may lead elsewhere by the time of
 * the connection.
 */
export function refusePrivateLiteral(hostname: string): void {
  const literal = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
  if (isIP(literal) !== 0 && !isPublicAddress(literal)) throw new PrivateAddress(hostname);
}
