import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";

/** The hosts that the agent may reach. */
export interface Network {
  /** Returns `undefined` if the URL may be fetched, otherwise the reason why not. */
  refusal(url: URL): Promise<string | undefined>;
}

const privateAddresses = new BlockList();
for (const [address, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["224.0.0.0", 3],
] as const) {
  privateAddresses.addSubnet(address, prefix, "ipv4");
}
for (const [address, prefix] of [
  ["::", 128],
  ["::1", 128],
  ["fc00::", 7],
  ["fe80::", 10],
  ["ff00::", 8],
] as const) {
  privateAddresses.addSubnet(address, prefix, "ipv6");
}

/** Allows the public internet, but not this machine or its private network. */
export const publicNetwork: Network = {
  async refusal(url) {
    if (url.protocol !== "http:" && url.protocol !== "https:") return "only http and https can be fetched";
    const host = url.hostname.replace(/^\[|\]$/g, "");
    const addresses = isIP(host) ? [{ address: host, family: isIP(host) }] : await lookup(host, { all: true });
    return addresses.some(({ address, family }) => isPrivate(address, family))
      ? `${host} is inside the private network`
      : undefined;
  },
};

function isPrivate(address: string, family: number): boolean {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  return mapped === undefined
    ? privateAddresses.check(address, family === 6 ? "ipv6" : "ipv4")
    : privateAddresses.check(mapped, "ipv4");
}
