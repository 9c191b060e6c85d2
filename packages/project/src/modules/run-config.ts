import { fork } from "node:child_process";
import type { JsonValue } from "@hasp/schema";
import type { NotData } from "../config/plain-data.js";
import { locateOwnFile } from "../installation/own-package.js";

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
  const child = fork(locateOwnFile("dist/modules/config-child.js"), [url], {
    execArgv: process.execArgv.filter((option) => !option.startsWith("--inspect")),
    stdio: ["ignore", 2, 2, "ipc"],
  });
  return new Promise((resolve) => {
    const finish = (message: ConfigMessage): void => {
      clearTimeout(timer);
      child.removeAllListeners();
      child.kill("SIGKILL");
      resolve(message);
    };
    const timer = setTimeout(() => finish({ reason: `it was not imported within ${SECONDS} seconds` }), SECONDS * 1000);
    child.once("message", (message) => finish(message as ConfigMessage));
    child.once("error", ({ message }) => finish({ reason: message }));
    child.once("exit", (code, signal) => finish({ reason: `it ended its process (${signal ?? code})` }));
  });
}
