import { basename, resolve } from "node:path";
import type { JsonValue } from "@hasp/schema";
import { toSlashPath, readText } from "@hasp/project";
import type { Importer } from "../importers/source/importer.js";
import { isObject } from "@hasp/base/json";
import { parseSource } from "@hasp/compiler/source";
import { printVisibleText } from "@hasp/base/diagnostics";
import { askPlugin, sessionDiagnostics } from "@hasp/project/session";
import type { ImportRequest } from "./import-request.js";
import type { Read, Unread } from "./read-import-source.js";

export interface ForeignRead {
  readonly importer: Importer;
  readonly reads: readonly Read[];
}

/** Lets a plugin read a file. We import its answer like MCP's `tools/list` and trust none of its claims. */
export async function readForeignSource({
  kind,
  named = "",
  folder,
  session,
}: ImportRequest): Promise<ForeignRead | Unread> {
  const content = await readText(resolve(folder, named));
  if ("reason" in content) {
    return {
      diagnostics: [
        sessionDiagnostics("cannot-read", undefined, { path: printVisibleText(named), reason: content.reason }),
      ],
    };
  }
  const source = { name: named, text: content.text };
  const answer = await askPlugin(session, "read", { name: kind, source }, problemOfTools);
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
  const { readMcpTools } = await import("../importers/mcp-list.js");
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
