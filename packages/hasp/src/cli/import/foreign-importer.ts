import { basename, resolve } from "node:path";
import type { JsonValue } from "@hasp/schema";
import { toSlashPath, readText } from "@hasp/project";
import type { Importer } from "@hasp/import";
import { isObject } from "@hasp/base/json";
import { parseSource } from "@hasp/compiler/source";
import { printVisibleText } from "@hasp/base/diagnostics";
import { askPlugin } from "../shell/print-result.js";
import type { CommandResult, Invocation } from "../shell/command.js";
import { cliDiagnostics } from "../shell/diagnostics.js";
import type { ImportOptions } from "./put-settings.js";
import type { Read } from "./read-import-source.js";

export interface ForeignRead {
  readonly importer: Importer;
  readonly reads: readonly Read[];
}

/** Lets a plugin read a file. We import its answer like MCP's `tools/list` and trust none of its claims. */
export async function readForeignSource(
  kind: string,
  { words, folder, root, options, terminal }: Invocation<ImportOptions>,
): Promise<ForeignRead | Pick<CommandResult, "diagnostics">> {
  const named = words[1];
  if (named === undefined) return { diagnostics: [cliDiagnostics("no-source", undefined, { variant: "file", kind })] };
  const content = await readText(resolve(folder, named));
  if ("reason" in content) {
    return {
      diagnostics: [
        cliDiagnostics("cannot-read", undefined, { path: printVisibleText(named), reason: content.reason }),
      ],
    };
  }
  const config = options.config ?? terminal.environment["HASP_CONFIG"];
  const source = { name: named, text: content.text };
  const answer = await askPlugin({ root, config }, "read", { name: kind, source }, problemOfTools);
  if ("findings" in answer) return { diagnostics: answer.findings };
  const uri = toSlashPath(folder, resolve(folder, named));
  const { value: list } = parseSource({ uri, text: JSON.stringify({ tools: answer.value }), role: "shared" });
  const start = { offset: 0, line: 1, column: 1 };
  // The plugin made this list, so findings point to the file as a whole.
  const document = list && {
    ...list,
    text: content.text,
    locate: (pointer: string) => ({ uri, pointer, range: { start, end: start } }),
  };
  if (document === undefined) return { diagnostics: [] };
  const { readMcpTools } = await import("@hasp/import");
  return {
    importer: { reads: "file", read: (read) => readMcpTools(read, kind) },
    reads: [
      {
        source: { name: basename(named), document, documents: new Map([[uri, document]]) },
        sources: new Map([[uri, content.text]]),
      },
    ],
  };
}

function problemOfTools(value: JsonValue | undefined): string | undefined {
  if (!Array.isArray(value)) return "an importer returns a list of { name, description, inputSchema }.";
  return value.every((tool) => isObject(tool) && typeof tool["name"] === "string" && isObject(tool["inputSchema"]))
    ? undefined
    : "each tool has a name and an inputSchema.";
}
