import { resolve } from "node:path";
import { parseEnv } from "node:util";
import { createLocation, type Diagnostic } from "@hasp/base/diagnostics";
import { readText } from "@hasp/project";
import { InvalidArgumentError, Option, type Command } from "commander";
import { reportFormats, type FormatName } from "@hasp/report";
import { RULE_GROUPS, PART_NAME } from "@hasp/compiler/model";
import type { OutputRequest } from "./command.js";
import { cliDiagnostics } from "./diagnostics.js";

/** The readers of `--for agents`. */
export const AGENTS = "agents";

export function addCommonOptions(program: Command): void {
  program
    .option("--cwd <folder>", "work in this folder instead of the current one")
    .option("--config <file>", "the configuration file to use instead of the nearest hasp.config.*")
    .option("--env-file <file>", "read environment variables from this file; those that are set already win")
    .addOption(
      new Option("--format <name>", "output format of findings, or a reporter of a plugin")
        .choices(Object.keys(reportFormats))
        .argParser(formatName)
        .default("pretty"),
    )
    .option(
      "--output <format=path>",
      "also write findings to this file, such as sarif=hasp.sarif; repeatable",
      anotherOutput,
    )
    .option("--quiet", "print errors only")
    .option("--verbose", "print notes too; otherwise they are counted")
    .option("--exact", "count tokens with the o200k tokenizer (needs gpt-tokenizer) instead of estimating")
    .option("--max-warnings <count>", "fail if there are more warnings than this", (text) =>
      readWholeNumber(text, 0, Infinity, "a whole number"),
    )
    .option(
      "--fail-on <what>",
      "also fail on findings of this severity or worse (warning, info), or of this group of rules (safety, …); repeatable",
      anotherFailure,
    );
}

export function parseSeconds(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value <= 3600)) throw new InvalidArgumentError("It must be a number of seconds up to 3600.");
  return value;
}

export function pages(text: string): number {
  return readWholeNumber(text, 2, 1000, "a whole number from 2 to 1000");
}

/** Takes a word of the command line; refuses an empty one, which an unset variable gives. */
export function parseWord(text: string): string {
  if (text.trim() === "") throw new InvalidArgumentError("It is empty; perhaps a variable is not set.");
  return text;
}

export function parseWholeNumberFrom1(text: string): number {
  return readWholeNumber(text, 1, Infinity, "a whole number from 1");
}

function readWholeNumber(text: string, least: number, most: number, what: string): number {
  const value = Number(text);
  if (!/^\d{1,9}$/u.test(text) || value < least || value > most) throw new InvalidArgumentError(`It must be ${what}.`);
  return value;
}

function anotherOutput(text: string, outputs: readonly OutputRequest[] = []): readonly OutputRequest[] {
  const [, format = "", path = ""] = /^([a-z][a-z0-9/-]*)=(.+)$/u.exec(text) ?? [];
  if (!isFormat(format) && !isPluginName(format)) {
    throw new InvalidArgumentError(
      `It must be a format, "=" and a path, such as sarif=hasp.sarif. Formats are ${Object.keys(reportFormats).join(", ")}.`,
    );
  }
  if (outputs.some((other) => other.path === path)) {
    throw new InvalidArgumentError("Two reports would be written to one file.");
  }
  return [...outputs, { format, path }];
}

function formatName(text: string): string {
  if (isFormat(text) || isPluginName(text)) return text;
  throw new InvalidArgumentError(`Allowed choices are ${Object.keys(reportFormats).join(", ")}.`);
}

export function isFormat(name: string): name is FormatName {
  return Object.hasOwn(reportFormats, name);
}

const FAILURES = ["error", "warning", "info", ...RULE_GROUPS] as const;

type Failure = (typeof FAILURES)[number];

function anotherFailure(text: string, failures: readonly Failure[] = []): readonly Failure[] {
  const failure = FAILURES.find((each) => each === text);
  if (failure === undefined) throw new InvalidArgumentError(`It must be one of ${FAILURES.join(", ")}.`);
  return [...failures, failure];
}

export function isPluginName(name: string): boolean {
  return new RegExp(PART_NAME, "u").test(name);
}

/** Returns JSON that a word of the command line states, or the text of the file that it names. */
export async function readJsonWord(
  word: string,
  folder: string,
): Promise<{ readonly text: string; readonly isFile: boolean } | Diagnostic> {
  if (/^\s*(?:[[{"]|(?:-?\d[\d.eE+-]*|true|false|null)\s*$)/u.test(word)) return { text: word, isFile: false };
  const read = await readText(resolve(folder, word));
  if ("text" in read) return { text: read.text, isFile: true };
  return cliDiagnostics("cannot-read", undefined, { path: word, reason: read.reason });
}

/** An empty line, a comment or a variable, whose value may span lines in quotes. */
const ENTRY =
  /[^\S\n]*(?:#[^\n]*|(?:export\s+)?[A-Za-z_]\w*[^\S\n]*=[^\S\n]*(?:(?:"[^"]*"|'[^']*'|`[^`]*`)[^\S\n]*(?:#[^\n]*)?|(?!["'`]|[^\S\n])[^\n]*))?(?:\n|$)/uy;

type EnvFile = { readonly variables: Readonly<NodeJS.Dict<string>> } | { readonly finding: Diagnostic };

/** Reads a file of variables. Refuses lines that Node's parser would pass over. */
export async function readEnvFile(folder: string, path: string): Promise<EnvFile> {
  const read = await readText(resolve(folder, path));
  if ("reason" in read) {
    return { finding: cliDiagnostics("env-file-unreadable", undefined, { path, reason: read.reason }) };
  }
  const text = read.text.replaceAll("\r\n", "\n");
  for (let at = 0; at < text.length; at = ENTRY.lastIndex) {
    ENTRY.lastIndex = at;
    if (ENTRY.test(text)) continue;
    const lines = text.slice(0, at).split("\n");
    const position = { offset: at, line: lines.length, column: 1 };
    return {
      finding: cliDiagnostics("env-file-line", createLocation(path, position)),
    };
  }
  return { variables: parseEnv(text) };
}
