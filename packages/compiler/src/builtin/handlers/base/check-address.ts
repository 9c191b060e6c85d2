import type { JsonObject, JsonValue } from "@hasp/schema";
import { isList, isObject } from "../../../model/json-kind.js";
import { ownMember } from "../../../model/own.js";
import type { ReportConnection } from "./handler-check.js";
import { isAddress, isPublicAddress } from "../../../../../runtime/src/declared/public-address.js";

/** Reports unreachable addresses: the one under the key `setting`, and those of OAuth servers. */
export function checkAddress(
  connection: string,
  settings: JsonObject,
  setting: "baseUrl" | "url",
  report: ReportConnection,
): void {
  const own = String(settings[setting]);
  if (!URL.canParse(own)) return report("base-url", { connection, setting, url: own });
  if (settings["allowPrivateAddresses"] === true) return;
  for (const url of [own, ...oauthAddresses(settings["auth"])]) {
    if (isPrivateHost(url)) report("private-address", { connection, setting, url });
  }
}

/** Lists the addresses to which a connection sends credentials for tokens. */
function oauthAddresses(auth: JsonValue | undefined): readonly string[] {
  return (isList(auth) ? auth : [auth]).flatMap((method) => {
    const oauth2 = method === undefined ? undefined : ownMember(method, "oauth2");
    if (!isObject(oauth2)) return [];
    return Object.entries(oauth2).flatMap(([name, url]) =>
      name.endsWith("Url") && name !== "authorizationUrl" && typeof url === "string" ? [url] : [],
    );
  });
}

/** True if a URL's host is plainly private. Other names may still resolve to private addresses. */
export function isPrivateHost(url: string): boolean {
  const { hostname } = new URL(url);
  const literal = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
  return isAddress(literal) ? !isPublicAddress(literal) : /(?:^|\.)localhost\.?$/u.test(hostname);
}
