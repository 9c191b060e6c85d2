import { BlockList, isIP } from "node:net";

/** Thrown instead of connecting to an address that is not public. */
export class PrivateAddress extends Error {
  constructor(hostname: string) {
    super(`${hostname} resolves to an address that is not public, which the connection does not allow`);
  }
}

/**
 * Every IPv4 network that is not part of the public internet, by IANA's special-purpose registry: "this" network,
 * private, shared, loopback, link-local (with the metadata services of clouds), protocol assignments, documentation,
 * 6to4 relays, benchmarks, multicast, reserved, broadcast.
 */
const SPECIAL_IPV4 = /* @__PURE__ */ networks("ipv4", [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
]);

/** Public IPv6 addresses; all others are loopback, mapped IPv4, local, multicast or not assigned. */
const GLOBAL_IPV6 = /* @__PURE__ */ networks("ipv6", [["2000::", 3]]);

/** What within them is special: Teredo and other protocols, documentation, 6to4. */
const SPECIAL_IPV6 = /* @__PURE__ */ networks("ipv6", [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
]);

/** The prefix under which networks without IPv4 reach IPv4 addresses (RFC 6052). */
const NAT64 = /* @__PURE__ */ networks("ipv6", [["64:ff9b::", 96]]);

function networks(family: "ipv4" | "ipv6", list: readonly (readonly [string, number])[]): BlockList {
  const blocks = new BlockList();
  for (const [network, prefix] of list) blocks.addSubnet(network, prefix, family);
  return blocks;
}

/** Whether an IP address is part of the public internet. Anything that is not an IP address is not. */
export function isPublicAddress(address: string): boolean {
  // A zone names a link of this machine.
  switch (address.includes("%") ? 0 : isIP(address)) {
    case 4:
      return !SPECIAL_IPV4.check(address, "ipv4");
    case 6:
      if (NAT64.check(address, "ipv6")) return isPublicAddress(lastFourBytes(address));
      return GLOBAL_IPV6.check(address, "ipv6") && !SPECIAL_IPV6.check(address, "ipv6");
    default:
      return false;
  }
}

/** The IPv4 address at the end of an IPv6 address. */
function lastFourBytes(address: string): string {
  const dotted = /(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1];
  if (dotted !== undefined) return dotted;
  // The URL parser writes every address in one way: at most one `::`, no leading zeros.
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1).split(":");
  const bytes = groups.slice(-2).flatMap((group) => {
    const value = Number.parseInt(group === "" ? "0" : group, 16);
    return [value >> 8, value & 255];
  });
  return bytes.join(".");
}

/**
 * Refuses a host that is an address and not public. Names are left to `vettingLookup`: what they lead to may have
 * changed by the time of the connection.
 */
export function refusePrivateLiteral(hostname: string): void {
  const literal = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
  if (isIP(literal) !== 0 && !isPublicAddress(literal)) throw new PrivateAddress(hostname);
}
