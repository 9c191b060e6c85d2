import { fork } from "node:child_process";
import { basename, dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { existsSync } from "node:fs";
import { parseSource } from "../../../compiler/src/phases/1-load/index.js";
import { ownFile } from "../../../project/src/installation/own-package.js";
import { isWithin } from "../../../project/src/fs/read-inside.js";
import { slashPath } from "../../../project/src/fs/slash-path.js";
import type { ReadSource } from "../importers/source/importer.js";
import type { ExportsMessage } from "./schema-exports.js";

const LAST_WORDS = 2000;
/** Environment variables that a module may always see. */
const PLAIN_VARIABLES = ["PATH", "HOME", "TMPDIR", "TEMP", "TMP", "SystemRoot"];

/**
 * Imports a user's module in its own process, and reads its exported schemas like a file. Limits its environment and
 * its time.
 */
export async function readSchemaModule(
  folder: string,
  file: string,
  { seconds, environment }: { readonly seconds: number; readonly environment: Readonly<Record<string, string>> },
): Promise<ReadSource> {
  const path = resolve(folder, file);
  if (!existsSync(path)) return { reason: "there is no such file" };
  const answer = await exportsOf(path, seconds, environment);
  if ("problem" in answer) return { reason: answer.problem };
  const name = isWithin(folder, path) ? slashPath(folder, path) : basename(path);
  const uri = `${name}.json`;
  const text = JSON.stringify({ module: name, tools: answer.tools }, undefined, 2);
  const sources = new Map([[uri, text]]);
  const { value: document, diagnostics } = parseSource({ uri, text, role: "shared" });
  if (document === undefined) return { diagnostics, sources };
  return { source: { name: basename(path), document, documents: new Map([[uri, document]]) }, sources };
}

async function exportsOf(
  path: string,
  seconds: number,
  environment: Readonly<Record<string, string>>,
): Promise<ExportsMessage> {
  const plain = PLAIN_VARIABLES.flatMap((name): [string, string][] =>
    process.env[name] === undefined ? [] : [[name, process.env[name] ?? ""]],
  );
  const child = fork(ownFile("dist/sources/export-schemas-child.js"), [pathToFileURL(path).href], {
    cwd: dirname(path),
    env: { ...Object.fromEntries(plain), ...environment },
    execArgv: [],
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: unknown) => (printed = (printed + String(chunk)).slice(-LAST_WORDS)));
  }
  return new Promise((done) => {
    const timer = setTimeout(
      () => finish({ problem: `it was not imported within ${seconds} seconds` }),
      seconds * 1000,
    );
    const finish = (message: ExportsMessage): void => {
      clearTimeout(timer);
      child.kill("SIGKILL");
      done(message);
    };
    child.once("message", (message) => finish(message as ExportsMessage));
    child.once("error", (error) => finish({ problem: error.message }));
    child.once("exit", (code, signal) => {
      const said = printed.trim().replaceAll(/\s*\n\s*/gu, " | ");
      finish({ problem: `it ended its process (${signal ?? code})${said === "" ? "" : ` and said last: ${said}`}` });
    });
  });
}
