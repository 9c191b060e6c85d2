import { resolve } from "node:path";
import { parseEnv } from "node:util";
import type { Diagnostic } from "../../../../compiler/src/diagnostics/diagnostic.js";
import { readText } from "../../../../project/src/fs/read-text.js";
import { cliDiagnostics } from "./diagnostics.js";

/** An empty line, a comment or a variable, whose value may span lines in quotes. */
const ENTRY =
  /[^\S\n]*(?:#[^\n]*|(?:export\s+)?[A-Za-z_]\w*[^\S\n]*=[^\S\n]*(?:(?:"[^"]*"|'[^']*'|`[^`]*`)[^\S\n]*(?:#[^\n]*)?|(?!["'`])[^\n]*))?(?:\n|$)/uy;

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
      finding: cliDiagnostics(
        "env-file-line",
        { uri: path, pointer: "", range: { start: position, end: position } },
        undefined,
      ),
    };
  }
  return { variables: parseEnv(text) };
}
