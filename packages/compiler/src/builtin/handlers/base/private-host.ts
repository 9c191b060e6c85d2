import { isAddress, isPublicAddress } from "../../../../../runtime/src/declared/public-address.js";

/** Whether a URL names a host that is plainly not on the public internet; other names may still lead to one. */
export function isPrivateHost(url: string): boolean {
  const { hostname } = new URL(url);
  const literal = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
  return isAddress(literal) ? !isPublicAddress(literal) : /(?:^|\.)localhost\.?$/u.test(hostname);
}
