import { isIP } from "node:net";
import { isPublicAddress } from "@hasp/runtime/internal/addresses";

/** Whether a URL names a host that is plainly not on the public internet; other names may still lead to one. */
export function isPrivateHost(url: string): boolean {
  const { hostname } = new URL(url);
  const literal = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
  return isIP(literal) === 0 ? /(?:^|\.)localhost\.?$/u.test(hostname) : !isPublicAddress(literal);
}
