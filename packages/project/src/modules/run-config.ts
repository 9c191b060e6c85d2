import type { JsonValue } from "@hasp/schema";
import type { NotData } from "../config/plain-data.js";
import { locateOwnFile } from "../installation/own-package.js";
import { askChild, describeLapse } from "../processes/child.js";

export interface LineAndColumn {
  readonly line: number;
  readonly column: number;
}

/** The result of running a configuration: its default export as plain data, or the reason for its absence. */
export type ConfigMessage =
  | { readonly value: JsonValue }
  | { readonly problems: readonly NotData[] }
  | { readonly reason: string; readonly place?: LineAndColumn };

/** The child limits the import itself; this limit is for a module that blocks its process. */
const SECONDS = 15;

/** Runs a configuration that is a program in its own process, with its output on standard error. */
export async function runConfig(url: string): Promise<ConfigMessage> {
  const program = locateOwnFile("dist/modules/config-child.js");
  const reply = await askChild<string, ConfigMessage>(program, url, { seconds: SECONDS });
  return "answer" in reply
    ? reply.answer
    : { reason: `it ${describeLapse(reply.lapse, { late: "was not imported" })}` };
}
