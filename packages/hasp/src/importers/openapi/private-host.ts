/** Whether an address names a host that is plainly not on the public internet; other names may still lead to one. */
export function isPrivateHost(address: string): boolean {
  // URL writes every IPv4 address in four decimal numbers, and IPv6 addresses in brackets and lower case.
  return PRIVATE.test(new URL(address).hostname);
}

const PRIVATE =
  /^(?:0|10|127|169\.254|172\.(?:1[6-9]|2\d|3[01])|192\.168)\.[\d.]+$|^\[(?:::1?|f[cd][\da-f]{2}:.*|fe[89ab][\da-f]:.*)\]$|(?:^|\.)localhost$/u;
