import { basename, relative, resolve, sep } from "node:path";
import type { JsonObject, JsonValue } from "@hasp/schema";
import { Argument } from "commander";
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import { sortDiagnostics } from "../diagnostics/diagnostic-bag.js";
import type { LoadedDocument } from "../model/document.js";
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
  readonly check?: boolean;
  readonly update?: boolean;
  readonly force?: boolean;
}

/** `hasp import <kind> FILE`: one spec per tool of the source. */
export const importTools: CommandModule = {
  configure(command) {
    command
      .addArgument(new Argument("<kind>", "what the file holds").choices(Object.keys(importers)))
      .argument("<file>", "the result of MCP's tools/list, or an array of its tools, as JSON")
      .option("--out <folder>", "where the specs go", "specs")
      .option("--check", "write nothing; fail if the source says anything else than when it was imported")
      .option("--update", "take over what the source has changed; your own keys and comments stay")
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

  if (options.quiet !== true) terminal.error(`Reading ${visibleText(file)}\n`);
  const importer = await importers[kind]();
  const { value: list, diagnostics: found } = importer(document.value);
  const diagnostics: Diagnostic[] = [...found];
  const out = resolve(folder, options.out);
  const header = [`yaml-language-server: $schema=${editorSchemaPath(folder, out)}`];
  const states: { readonly tool: ImportedTool; readonly state: PutState }[] = [];
  const refused = [...list.refused];
  for (const tool of list.tools) {
    const origin = { ...(tool.spec["origin"] as JsonObject), source: basename(path) };
    const result = await putSpec({ ...tool, spec: { ...tool.spec, origin } }, { out, header, options, folder, document: document.value });
    if (result.state === undefined) refused.push(tool.name);
    else states.push({ tool, state: result.state });
    diagnostics.push(...result.diagnostics);
  }
  const couldNotCheck = list.tools.length === 0 && list.refused.length === 0;
  return {
    diagnostics: sortDiagnostics(diagnostics),
    sources,
    summary: { tools: list.tools.length + list.refused.length, imported: states.length, refused },
    text: couldNotCheck ? "" : summaryText(states, refused, options),
    couldNotCheck,
  };
}

type PutState = "written" | "updated" | "unchanged";

interface PutSettings {
  readonly out: string;
  readonly header: readonly string[];
  readonly options: ImportOptions;
  readonly folder: string;
  readonly document: LoadedDocument;
}

/** Writes one spec, or compares it with the one that is there. Without a state, the tool was not taken over. */
async function putSpec(
  tool: ImportedTool,
  { out, header, options, folder, document }: PutSettings,
): Promise<{ readonly state?: PutState; readonly diagnostics: readonly Diagnostic[] }> {
  const { printSpec } = await import("../importers/print-spec.js");
  const target = resolve(out, tool.fileName);
  const shown = relative(folder, target).split(sep).join("/");
  const about = { tool: tool.name };
  const location = document.locate(tool.pointer);
  const text = printSpec(tool.spec, header);
  if (text === undefined) return { diagnostics: [importDiagnostics("not-writable-as-yaml", location, about, about)] };

  const there = await readText(target);
  const isThere = "text" in there;
  if (isThere && there.text === text) return { state: "unchanged", diagnostics: [] };
  const { compareSpec } = await import("../importers/update-spec.js");
  const comparison = isThere ? compareSpec(there.text, tool.spec) : undefined;
  if (comparison?.kind === "same" && options.force !== true) return { state: "unchanged", diagnostics: [] };
  let next = text;
  if (comparison?.kind === "drifted") {
    const { changed, isEdited } = comparison;
    const isWanted = options.check !== true && options.update === true && (!isEdited || options.force === true);
    if (!isWanted) return { diagnostics: [importDiagnostics("drift", location, { tool: tool.name, changed, isEdited }, about)] };
    next = comparison.text ?? text;
  } else if (comparison !== undefined && options.force !== true) {
    const remedy = 'It is no import of this tool. Move it away, or write over it with "--force".';
    return { diagnostics: [cliDiagnostics("file-exists", undefined, { path: shown, remedy }, about)] };
  } else if (options.check === true) {
    return { diagnostics: [importDiagnostics("not-imported", location, about, about)] };
  }
  const result = await makeUserFile(target, next, isThere ? { replace: true } : {});
  if (result.state === "written") return { state: "written", diagnostics: [] };
  if (result.state === "replaced" || result.state === "unchanged") return { state: "updated", diagnostics: [] };
  const reason = result.reason ?? "something else was put there meanwhile";
  return { diagnostics: [cliDiagnostics("cannot-write", undefined, { path: shown, reason }, about)] };
}

function summaryText(
  states: readonly { readonly tool: ImportedTool; readonly state: PutState }[],
  refused: readonly string[],
  { out, check: isCheck = false }: ImportOptions,
): string {
  const total = states.length + refused.length;
  const same = states.filter(({ state }) => state === "unchanged").length;
  if (isCheck) return `${same} of ${counted(total, "tool")} in ${visibleText(out)} ${same === 1 ? "is" : "are"} as the source has ${same === 1 ? "it" : "them"}.\n`;
  const lines = [`${states.length} of ${counted(total, "tool")} imported into ${visibleText(out)}${same === 0 ? "" : ` (${same} the same as before)`}`];
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
