import type { JsonObject } from "@hasp/schema";
import type { ReportHandler } from "../base/handler-check.js";
import { isPrivateHost } from "./private-host.js";

/** Reports a base URL that no call can reach. */
export function checkHttpConnection(connection: string, settings: JsonObject, report: ReportHandler): void {
  const { baseUrl, allowPrivateAddresses } = settings;
  const url = String(baseUrl);
  if (!URL.canParse(url)) report("base-url", "/connection", { connection, url });
  else if (allowPrivateAddresses !== true && isPrivateHost(url)) {
    report("private-address", "/connection", { connection, url });
  }
}
