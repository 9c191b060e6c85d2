import type { JsonObject } from "@hasp/schema";
import { isList } from "../../../model/json-kind.js";
import { ownMember } from "../../../model/own.js";
import { checkAddress } from "../base/check-address.js";
import type { ReportConnection } from "../base/handler-check.js";

/** Reports an unreachable server, and credentials where the protocol has no place for them. */
export function checkMcpConnection(connection: string, settings: JsonObject, report: ReportConnection): void {
  const { url, auth = [] } = settings;
  if (url !== undefined) checkAddress(connection, settings, "url", report);
  for (const method of isList(auth) ? auth : [auth]) {
    const place = ownMember(ownMember(method, "apiKey"), "in");
    if (place !== undefined && place !== "header") report("key-of-server", { connection, place: String(place) });
  }
}
