import { basename, dirname, relative, resolve, sep } from "node:path";
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
import { staysWithin } from "../io/read-inside.js";
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
  const out = resolve(folder, options.out);
  if (!staysWithin(folder, out)) return { diagnostics: [cliDiagnostics("out-outside", undefined, { out: options.out })], couldNotCheck: true };
  const [kind, file] = words as readonly [ImportKind, string];
  const path = resolve(folder, file);
  const uri = pathFrom(folder, path);
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
  const config = options.config ?? terminal.environment["HASP_CONFIG"];
  const root = config === undefined ? folder : dirname(resolve(folder, config));
  const header = [`yaml-language-server: $schema=${editorSchemaPath(folder, out)}`];
  const states: Put[] = [];
  const refused = [...list.refused];
  for (const tool of list.tools) {
    const origin = { ...(tool.spec["origin"] as JsonObject), source: basename(path) };
    const result = await putSpec({ ...tool, spec: { ...tool.spec, origin } }, { out, header, options, folder, root, document: document.value });
    if (result.state === undefined) refused.push(tool.name);
    else states.push({ tool, state: result.state });
    diagnostics.push(...result.diagnostics);
  }
  const { findSpecPaths } = await import("../io/read-project.js");
  const covered = states.length === 0 || options.check === true ? undefined : await findSpecPaths(root, config === undefined ? {} : { config: basename(config) });
  const isUnseen = covered !== undefined && states.some(({ tool }) => !covered.includes(pathFrom(root, resolve(out, tool.fileName))));
  const setting = { isUnseen, place: folder === terminal.folder ? "" : ` --cwd ${pathFrom(terminal.folder, folder)}` };
  const couldNotCheck = list.tools.length === 0 && list.refused.length === 0;
  return {
    diagnostics: sortDiagnostics(diagnostics),
    sources,
    summary: { tools: list.tools.length + list.refused.length, imported: states.length, refused },
    text: couldNotCheck ? "" : summaryText(states, refused, options, setting),
    couldNotCheck,
  };
}

interface Put {
  readonly tool: ImportedTool;
  readonly state: PutState;
}

type PutState = "written" | "updated" | "unchanged";

interface PutSettings {
  readonly out: string;
  readonly header: readonly string[];
  readonly options: ImportOptions;
  readonly folder: string;
  /** The folder in which the ledger stands. */
  readonly root: string;
  readonly document: LoadedDocument;
}

/** Writes one spec, or compares it with the one that is there. Without a state, the tool was not taken over. */
async function putSpec(
  tool: ImportedTool,
  { out, header, options, folder, root, document }: PutSettings,
): Promise<{ readonly state?: PutState; readonly diagnostics: readonly Diagnostic[] }> {
  const { printSpec } = await import("../importers/print-spec.js");
  const target = resolve(out, tool.fileName);
  const shown = pathFrom(folder, target);
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
  if (result.state === "replaced" || result.state === "unchanged") {
    const changed = comparison?.kind === "drifted" ? comparison.changed : [];
    const claims = changed.length === 0 ? [] : await approvedClaims(root, tool.name);
    const again = claims.length === 0 ? [] : [importDiagnostics("approved-before", location, { tool: tool.name, changed, claims }, about)];
    return { state: "updated", diagnostics: again };
  }
  const reason = result.reason ?? "something else was put there meanwhile";
  return { diagnostics: [cliDiagnostics("cannot-write", undefined, { path: shown, reason }, about)] };
}

/** What the ledger approves of a tool. */
async function approvedClaims(root: string, tool: string): Promise<readonly string[]> {
  const { ledgerPath, readLedgerFile } = await import("../ledger/ledger-file.js");
  const { parseSource } = await import("../phases/1-load/index.js");
  const uri = ledgerPath(tool);
  const ledger = await readText(resolve(root, uri));
  const document = "text" in ledger ? parseSource({ uri, text: ledger.text, role: "ledger" }).value : undefined;
  return document === undefined ? [] : readLedgerFile(document).entries.map(({ claim }) => claim);
}

function pathFrom(folder: string, path: string): string {
  return relative(folder, path).split(sep).join("/");
}

function summaryText(
  states: readonly Put[],
  refused: readonly string[],
  { out, check: isCheck = false }: ImportOptions,
  { isUnseen, place }: { readonly isUnseen: boolean; readonly place: string },
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
  if (isUnseen) {
    lines.push("", `No build will see them: "specs" of the configuration does not cover ${visibleText(out)}. Add it there, or import with another --out.`);
  }
  if (states.length > 0) {
    lines.push("", "Next: read the specs, then run `hasp check`.");
    const first = states.find(({ tool }) => tool.spec["suggested"] !== undefined);
    if (first !== undefined) {
      lines.push(`Claims that you believe, tool by tool: \`hasp approve ${first.tool.name} --suggested --yes --reason "why you believe it"${place}\`.`);
    }
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
