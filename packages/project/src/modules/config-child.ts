// Runs in a separate process, so that a configuration cannot change hasp's findings or exit code.
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { toPlainData } from "../config/plain-data.js";
import { printThrown } from "@hasp/base/diagnostics";
import type { ConfigMessage, LineAndColumn } from "./run-config.js";
import { importModule, findSyntaxError } from "./import-module.js";

const [, , url = ""] = process.argv;
const send = process.send?.bind(process);

async function answer(): Promise<ConfigMessage> {
  try {
    const { default: value } = (await importModule(url)) as { readonly default?: unknown };
    return value === undefined ? { reason: "it has no default export" } : toPlainData(value);
  } catch (error) {
    const [reason = "it throws"] = printThrown(error).split("\n");
    const isUnparsed = error instanceof Error && error.name === "SyntaxError" && placeIn(error) === undefined;
    const position = placeIn(isUnparsed ? await findSyntaxError(url) : error);
    return { reason, ...(position === undefined ? {} : { place: position }) };
  }
}

function placeIn(error: unknown): LineAndColumn | undefined {
  const trace = error instanceof Error ? `${error.stack ?? ""}\n${error.message}` : "";
  const name = basename(fileURLToPath(url)).replaceAll(/[^\w-]/gu, String.raw`\$&`);
  const [, line, column = "1"] = new RegExp(`${name}:(\\d+)(?::(\\d+))?`).exec(trace) ?? [];
  return line === undefined ? undefined : { line: Number(line), column: Number(column) };
}

const message = await answer();
send?.(message, () => process.exit(0));
