import type { JsonObject } from "@hasp/schema";
import type { ReportConnection } from "./handler-check.js";
import { isPrivateHost } from "./private-host.js";

/** Reports an address that no call can reach; `setting` is the key under which it stands. */
export function checkAddress(
  connection: string,
  settings: JsonObject,
  setting: "baseUrl" | "url",
  report: ReportConnection,
): void {
  const url = String(settings[setting]);
  if (!URL.canParse(url)) report("base-url", { connection, setting, url });
  else if (settings["allowPrivateAddresses"] !== true && isPrivateHost(url)) {
    report("private-address", { connection, setting, url });
  }
}
