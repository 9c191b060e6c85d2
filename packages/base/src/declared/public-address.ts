type Network = readonly [first: string, bits: number];

/** The IPv4 networks that are not part of the public internet (IANA special-purpose registry). */
const SPECIAL_IPV4: readonly Network[] = [
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
];

const GLOBAL_IPV6: readonly Network[] = [["2000::", 3]];

/** Special networks within `GLOBAL_IPV6`: Teredo and other protocols, documentation, 6to4. */
const SPECIAL_IPV6: readonly Network[] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
];

/** The prefix of IPv4 addresses in networks without IPv4 (RFC 6052). */
const NAT64: readonly Network[] = [["64:ff9b::", 96]];

export function isPublicAddress(address: string): boolean {
  const groups = parseAddress(address);
  if (groups === undefined) return false;
  const isIn = (list: readonly Network[]): boolean => list.some((network) => contains(network, groups));
  if (groups.length === 2) return !isIn(SPECIAL_IPV4);
  const lastBytes = groups.slice(6).flatMap((group) => [group >> 8, group & 255]);
  if (isIn(NAT64)) return isPublicAddress(lastBytes.join("."));
  return isIn(GLOBAL_IPV6) && !isIn(SPECIAL_IPV6);
}

/** True for an IP address without a zone. */
export function isAddress(text: string): boolean {
  return parseAddress(text) !== undefined;
}

function contains([first, bits]: Network, groups: readonly number[]): boolean {
  return (parseAddress(first) ?? []).every((group, index) => {
    const ignored = 16 - Math.min(Math.max(bits - 16 * index, 0), 16);
    return group >> ignored === (groups[index] ?? 0) >> ignored;
  });
}

/** Parses an IP address into its 16-bit groups: two of an IPv4 address, eight of an IPv6 address. */
function parseAddress(address: string): readonly number[] | undefined {
  if (!address.includes(":")) return parseIpv4(address);
  const [, start = address, dotted] = /^(.*:)(\d+\.[\d.]+)$/u.exec(address) ?? [];
  const end = dotted === undefined ? [] : parseIpv4(dotted);
  if (end === undefined) return undefined;
  // The colon before a dotted end separates groups, unless it ends a `::`.
  const text = dotted === undefined || start.endsWith("::") ? start : start.slice(0, -1);
  const halves = text.split("::").map((half) => (half === "" ? [] : half.split(":")));
  const [before = [], after] = halves;
  if (halves.length > 2 || ![...before, ...(after ?? [])].every((group) => /^[\da-fA-F]{1,4}$/u.test(group))) {
    return undefined;
  }
  const missing = 8 - end.length - before.length - (after?.length ?? 0);
  if (after === undefined ? missing !== 0 : missing < 1) return undefined;
  const parsed = (groups: readonly string[]): number[] => groups.map((group) => Number.parseInt(group, 16));
  return [...parsed(before), ...Array<number>(missing).fill(0), ...parsed(after ?? []), ...end];
}

function parseIpv4(text: string): readonly number[] | undefined {
  const bytes = text.split(".");
  if (bytes.length !== 4 || !bytes.every((byte) => /^(?:0|[1-9]\d{0,2})$/u.test(byte) && Number(byte) < 256)) {
    return undefined;
  }
  const [a = 0, b = 0, c = 0, d = 0] = bytes.map(Number);
  return [a * 256 + b, c * 256 + d];
}
