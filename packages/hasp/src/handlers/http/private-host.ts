/** Whether an address names a host that is plainly not on the public internet; other names may still lead to one. */
export function isPrivateHost(address: string): boolean {
  // URL writes every IPv4 address in four decimal numbers, and IPv6 addresses in brackets and lower case.
  return PRIVATE.test(new URL(address).hostname);
}

/** IPv6 addresses are public in 2000::/3. */
const PRIVATE =
  /^(?:0|10|127|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])|169\.254|172\.(?:1[6-9]|2\d|3[01])|192\.168)\.[\d.]+$|^\[(?![23][\da-f]{3}:)|(?:^|\.)localhost$/u;
