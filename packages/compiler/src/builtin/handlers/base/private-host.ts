import { isAddress, isPublicAddress } from "../../../../../runtime/src/declared/public-address.js";

/** True if a URL's host is plainly private. Other names may still resolve to private addresses. */
export function isPrivateHost(url: string): boolean {
  const { hostname } = new URL(url);
  const literal = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
  return isAddress(literal) ? !isPublicAddress(literal) : /(?:^|\.)localhost\.?$/u.test(hostname);
}
