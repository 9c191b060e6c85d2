import { basename, relative, resolve, sep } from "node:path";
import type { JsonObject, JsonValue } from "@hasp/schema";
import { Argument } from "commander";
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import { sortDiagnostics } from "../diagnostics/diagnostic-bag.js";
import type { ImportedTool } from "../importers/imported-tool.js";
import { importDiagnostics } from "../importers/diagnostics.js";
import type { ImportKind } from "../importers/index.js";
import { importers } from "../importers/index.js";
import { makeUserFile } from "../io/user-files.js";
import { readText } from "../io/read-text.js";
import { tableLines } from "../report/table.js";
import { visibleText } from "../report/visible-text.js";
import { counted } from "../report/words.js";
import type { CommandModule, Invocation, Outcome } from "./command.js";
import { cliDiagnostics } from "./diagnostics.js";
import { editorSchemaPath } from "./editor-schema.js";

interface ImportOptions {
  readonly out: string;
  readonly force?: boolean;
}

/** `hasp import <kind> FILE`: one spec per tool of the source. */
export const importTools: CommandModule = {
  configure(command) {
    command
      .addArgument(new Argument("<kind>", "what the file holds").choices(Object.keys(importers)))
      .argument("<file>", "the result of MCP's tools/list, or an array of its tools, as JSON")
      .option("--out <folder>", "where the specs go", "specs")
      .option("--force", "write over specs that are there already");
  },
  run: async (invocation) => runImport(invocation as Invocation<ImportOptions>),
};

async function runImport({ words, options, folder, terminal }: Invocation<ImportOptions>): Promise<Outcome> {
  const [kind, file] = words as readonly [ImportKind, string];
  const path = resolve(folder, file);
  const uri = relative(folder, path).split(sep).join("/");
  const source = await readText(path);
  if ("reason" in source) {
    return { diagnostics: [cliDiagnostics("cannot-read", undefined, { path: file, reason: source.reason })], couldNotCheck: true };
  }
  const { parseSource } = await import("../phases/1-load/index.js");
  const sources = new Map([[uri, source.text]]);
  const document = parseSource({ uri, text: source.text, role: "shared" });
  if (document.value === undefined) return { diagnostics: document.diagnostics, sources, couldNotCheck: true };

  terminal.error(`Reading ${visibleText(file)}\n`);
  const importer = await importers[kind]();
  const { value: list, diagnostics: found } = importer(document.value);
  const diagnostics: Diagnostic[] = [...found];
  const { printSpec } = await import("../importers/print-spec.js");
  const out = resolve(folder, options.out);
  const states: { readonly tool: ImportedTool; readonly state: string }[] = [];
  const refused = [...list.refused];
  for (const tool of list.tools) {
    const target = resolve(out, tool.fileName);
    const shown = relative(folder, target).split(sep).join("/");
    const origin = { ...(tool.spec["origin"] as JsonObject), source: basename(path) };
    const text = printSpec({ ...tool.spec, origin }, [`yaml-language-server: $schema=${editorSchemaPath(folder, out)}`]);
    if (text === undefined) {
      diagnostics.push(importDiagnostics("not-writable-as-yaml", document.value.locate(tool.pointer), { tool: tool.name }, { tool: tool.name }));
      refused.push(tool.name);
      continue;
    }
    const result = await makeUserFile(target, text, options.force === true ? { replace: true } : {});
    if (result.state === "exists") {
      diagnostics.push(cliDiagnostics("file-exists", undefined, { path: shown, remedy: 'Move it away, or write over it with "--force".' }, { tool: tool.name }));
      refused.push(tool.name);
    } else if (result.state === "failed") {
      diagnostics.push(cliDiagnostics("cannot-write", undefined, { path: shown, reason: result.reason ?? "unknown" }, { tool: tool.name }));
      refused.push(tool.name);
    } else {
      states.push({ tool, state: result.state });
    }
  }
  const couldNotCheck = list.tools.length === 0 && list.refused.length === 0;
  return {
    diagnostics: sortDiagnostics(diagnostics),
    sources,
    summary: { tools: list.tools.length + list.refused.length, imported: states.length, refused },
    text: couldNotCheck ? "" : summaryText(states, refused, options.out),
    couldNotCheck,
  };
}

function summaryText(
  states: readonly { readonly tool: ImportedTool; readonly state: string }[],
  refused: readonly string[],
  out: string,
): string {
  const total = states.length + refused.length;
  const lines = [`${states.length} of ${counted(total, "tool")} imported into ${visibleText(out)}`];
  const changed = states.filter(({ state }) => state !== "unchanged").length;
  if (changed < states.length) lines[0] += ` (${states.length - changed} said the same already)`;
  const claims = countClaims(states.map(({ tool }) => tool.spec["suggested"]));
  if (claims.length > 0) {
    lines.push("", "The source claims, and no spec believes (see `suggested` in each):");
    lines.push(...tableLines([{ title: "" }, { title: "", align: "right" }], claims).slice(1).map((line) => `  ${line}`));
  }
  if (refused.length > 0) lines.push("", `Not imported: ${refused.map(visibleText).join(", ")}`);
  if (states.length > 0) {
    lines.push("", "Next: read the specs, then run `hasp check`.");
    if (claims.length > 0) lines.push('Claims that you believe: `hasp approve --suggested --reason "…"`.');
  }
  return `${lines.join("\n")}\n`;
}

function countClaims(suggested: readonly (JsonValue | undefined)[]): readonly (readonly [string, string])[] {
  const counts = new Map<string, number>();
  for (const claims of suggested) {
    if (typeof claims !== "object" || claims === null) continue;
    for (const [name, value] of Object.entries(claims)) {
      if (name === "from") continue;
      const claim = `${name}: ${String(value)}`;
      counts.set(claim, (counts.get(claim) ?? 0) + 1);
    }
  }
  return [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([claim, count]) => [claim, counted(count, "tool")]);
}
