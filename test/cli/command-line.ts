import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { main } from "../../packages/hasp/src/cli/main.js";
import { paintInColour, paintPlain, wantsColour } from "@hasp/report";
import { recordingTerminal } from "../../packages/hasp/src/cli/shell/terminal.testing.js";

/** The built command line, as a user's shell starts it. */
export const bin: string = resolve(import.meta.dirname, "../../packages/hasp/bin/hasp.js");

/** The output and the exit code of one run. */
export interface Run {
  readonly code: number | null;
  readonly out: string;
  readonly error: string;
}

/** A finding in `--format json`. */
export interface JsonFinding {
  readonly code: string;
  readonly severity: string;
  readonly message: string;
  readonly tool: string | null;
  readonly uri: string | null;
  readonly line: number | null;
  readonly column: number | null;
  readonly pointer: string | null;
  readonly help: string | null;
}

let ownCache: string | undefined;

/** A folder of its own with these files, gone after the tests. */
export function project(files: Readonly<Record<string, string>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "hasp-cli-"));
  put(folder, files);
  return folder;
}

/** Writes files into a folder. */
export function put(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** Every file below a folder with its text, by path. */
export function tree(folder: string): Readonly<Record<string, string>> {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(paths.toSorted().map((path) => [relative(folder, path), readFileSync(path, "utf8")]));
}

/** Starts `hasp` as a process of its own: for what only a process shows. */
export function startHasp(
  folder: string,
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Run {
  const { CI: _ci, FORCE_COLOR: _force, NO_COLOR: _no, HASP_CONFIG: _config, ...inherited } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...words], {
    cwd: folder,
    // What it remembers, it remembers in a folder of the test's own.
    env: { ...inherited, XDG_CACHE_HOME: (ownCache ??= project()), ...environment },
    encoding: "utf8",
    timeout: 60_000,
  });
  return { code: status, out: stdout, error: stderr };
}

/** Runs the built `hasp` in a folder, inside this process: the same code at a fraction of the time. */
export async function hasp(
  folder: string,
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Run> {
  const paint = wantsColour(environment, false) ? paintInColour : paintPlain;
  const terminal = recordingTerminal(folder, { paint, environment });
  const code = await main(words, terminal);
  return { code, ...terminal.printed() };
}

/** The output of `--format json`. */
export interface JsonRun {
  readonly code: number | null;
  readonly diagnostics: readonly JsonFinding[];
  /** The notes on how its toolsets can leak: a project of tools that claim nothing has one, apart from `diagnostics`. */
  readonly paths: readonly JsonFinding[];
  readonly summary: Readonly<Record<string, unknown>>;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Runs `hasp … --format json` and reads what it printed. */
export async function haspJson(
  folder: string,
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<JsonRun> {
  const run = await hasp(folder, [...words, "--format", "json"], environment);
  let data: Pick<JsonRun, "diagnostics" | "summary"> & Readonly<Record<string, unknown>>;
  try {
    data = JSON.parse(run.out);
  } catch {
    throw new Error(`not JSON (exit ${run.code}):\n${run.out}\n${run.error}`);
  }
  const isPath = ({ code, severity }: JsonFinding): boolean => code === "flow/paths" && severity === "info";
  const paths = data.diagnostics.filter(isPath);
  const diagnostics = data.diagnostics.filter((finding) => !isPath(finding));
  return { code: run.code, diagnostics, paths, summary: data.summary, data };
}

/** A spec that says as little as a spec may. */
export function minimalSpec(name: string, extra = ""): string {
  return `hasp: 1
name: ${name}
description: >-
  Look one record up by its id. Use it when an id of ${name} is known. Do not use it to search.
input:
  type: object
  required: [id]
  properties:
    id: { type: string, minLength: 1, maxLength: 100, description: Which record. }
behavior: { interruptBehavior: block }
limits: { maxResultSizeChars: 20000 }
${extra}`;
}
