// Runs in a separate process, so that a configuration cannot change hasp's findings or exit code.
import { dropUndefined } from "@hasp/base/json";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { toPlainData } from "../config/plain-data.js";
import { printThrown } from "@hasp/base/diagnostics";
import type { ConfigMessage, LineAndColumn } from "./run-config.js";
import { answerQuestions } from "../processes/answer-questions.js";
import { importModule, findSyntaxError } from "./import-module.js";

answerQuestions(run);

async function run(url: string): Promise<ConfigMessage> {
  try {
    const { default: value } = (await importModule(url)) as { readonly default?: unknown };
    return value === undefined ? { reason: "it has no default export" } : toPlainData(value);
  } catch (error) {
    const [reason = "it throws"] = printThrown(error).split("\n");
    const isUnparsed = error instanceof Error && error.name === "SyntaxError" && placeIn(error, url) === undefined;
    const position = placeIn(isUnparsed ? await findSyntaxError(url) : error, url);
    return { reason, ...dropUndefined({ place: position }) };
  }
}

function placeIn(error: unknown, url: string): LineAndColumn | undefined {
  const trace = error instanceof Error ? `${error.stack ?? ""}\n${error.message}` : "";
  const name = basename(fileURLToPath(url)).replaceAll(/[^\w-]/gu, String.raw`\$&`);
  const [, line, column = "1"] = new RegExp(`${name}:(\\d+)(?::(\\d+))?`).exec(trace) ?? [];
  return line === undefined ? undefined : { line: Number(line), column: Number(column) };
}
