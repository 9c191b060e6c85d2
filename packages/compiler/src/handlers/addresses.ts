import type { JsonObject, JsonValue } from "@hasp/schema";
import { handlerDiagnostics } from "./diagnostics.js";
import type { ReportConnection } from "./handler-kind.js";
import { isList, isObject, readOwnMember } from "@hasp/base/json";
import { isAddress, isPublicAddress } from "@hasp/base/declared";

/** Reports unreachable addresses: the one under the key `setting`, and those of OAuth servers. */
export function checkAddress(
  connection: string,
  settings: JsonObject,
  setting: "baseUrl" | "url",
  report: ReportConnection,
): void {
  for (const url of listAddresses(settings[setting])) {
    if (!URL.canParse(url)) report(handlerDiagnostics, "base-url", { connection, setting, url });
  }
  if (settings["allowPrivateAddresses"] === true) return;
  for (const url of listPrivateAddresses(settings, setting)) {
    report(handlerDiagnostics, "private-address", { connection, setting, url });
  }
}

/** Lists the private addresses of a connection: under the key `setting`, and of OAuth servers. */
export function listPrivateAddresses(settings: JsonObject, setting: "baseUrl" | "url"): readonly string[] {
  const own = settings[setting] === undefined ? [] : listAddresses(settings[setting]);
  return [...own.filter((each) => URL.canParse(each)), ...oauthAddresses(settings["auth"])].filter(isPrivateHost);
}

/** Lists the addresses that a setting allows: itself, or those under `allowed`. */
export function listAddresses(setting: JsonValue | undefined): readonly string[] {
  const allowed = setting === undefined ? undefined : readOwnMember(setting, "allowed");
  return (isList(allowed) ? allowed : [setting]).map(String);
}

function oauthAddresses(auth: JsonValue | undefined): readonly string[] {
  return (isList(auth) ? auth : [auth]).flatMap((method) => {
    const oauth2 = method === undefined ? undefined : readOwnMember(method, "oauth2");
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
