import { readdir } from "node:fs/promises";
import { resolve } from "node:path";
import type { JsonValue } from "@hasp/schema";
import { excerpt } from "@hasp/schema/internal/diagnostics";
import type { Diagnostic, Location } from "../../diagnostics/diagnostic.js";
import { importDiagnostics } from "../../importers/source/diagnostics.js";
import {
  nameAtSource,
  type ImportedSource,
  type ImportedTool,
  type SharedFile,
} from "../../importers/specs/imported-source.js";
import { readText } from "../../host/fs/read-text.js";
import { slashPath } from "../../host/fs/slash-path.js";
import { makeUserFile } from "../../host/output/user-files.js";
import type { LoadedDocument } from "../../model/document.js";
import { isObject } from "../../model/json-kind.js";
import type { MergeConflict, Side } from "../../importers/specs/merge-import.js";
import type { ImportOptions } from "./import-options.js";
import { readRecord, recordPath, writeRecord } from "./import-records.js";
import { cliDiagnostics } from "../shell/diagnostics.js";
import { unescapeToken } from "../../model/json-pointer.js";

/** Where and how imported files are put. */
export interface PutSettings {
  /** Absolute path of the folder of the specs. */
  readonly out: string;
  readonly header: readonly string[];
  readonly options: Pick<ImportOptions, "check" | "update" | "force" | "ours" | "theirs">;
  /** Asks a person about the conflicts of a file; answers by pointer. `undefined` where nobody can be asked. */
  readonly ask?: (path: string, conflicts: readonly MergeConflict[]) => Promise<ReadonlyMap<string, Side>>;
  readonly folder: string;
  /** The folder in which the ledger stands. */
  readonly root: string;
  /** The source. */
  readonly document: LoadedDocument;
  /** Specs of this kind that do not stand where the import would put them, by their name at the source. */
  readonly moved: ReadonlyMap<string, MovedSpec>;
}

/** A spec that the author has moved or renamed, or whose tool has gone. */
export interface MovedSpec {
  readonly path: string;
  readonly tool: string;
  readonly source: string;
}

/** What became of a spec. */
export type PutState = "written" | "updated" | "unchanged";

/** What {@link putSpec} did. Without a state, the tool was not taken over. */
interface PutSpec {
  readonly state?: PutState;
  readonly path: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** Writes one spec, or compares it with the one that is there, and records what the source said. */
export async function putSpec(tool: ImportedTool, settings: PutSettings): Promise<PutSpec> {
  const { out, options, root } = settings;
  const record = recordPath(root, out, tool.fileName);
  const put = await placeSpec(tool, settings, record);
  if (put.state === undefined || options.check === true) return put;
  const { importedPart } = await import("../../importers/specs/imported-part.js");
  const reason = await writeRecord(record, importedPart(tool.spec));
  if (reason === undefined) return put;
  const about = { path: slashPath(root, record), reason };
  return {
    ...put,
    diagnostics: [...put.diagnostics, cliDiagnostics("cannot-write", undefined, about, { tool: tool.name })],
  };
}

async function placeSpec(
  tool: ImportedTool,
  { out, header, options, folder, root, moved, ask }: PutSettings,
  record: string,
): Promise<PutSpec> {
  const { printSpec, specText } = await import("../../importers/specs/print-spec.js");
  const path = moved.get(nameAtSource(tool))?.path ?? resolve(out, tool.fileName);
  const shown = slashPath(folder, path);
  const about = { tool: tool.name };
  const there = await readText(path);
  const isThere = "text" in there;
  if (isThere && there.text === specText(tool.spec, header)) return { path, state: "unchanged", diagnostics: [] };
  const text = printSpec(tool.spec, header);
  if (text === undefined) {
    return { path, diagnostics: [importDiagnostics("not-writable-as-yaml", tool.locate(), about, about)] };
  }
  if (isThere && there.text === text) return { path, state: "unchanged", diagnostics: [] };
  const { compareSpec } = await import("../../importers/specs/update-spec.js");
  const comparison = isThere ? compareSpec(there.text, tool.spec, await readRecord(record)) : undefined;
  if (comparison?.kind === "same" && options.force !== true) return { path, state: "unchanged", diagnostics: [] };
  let next = text;
  if (comparison?.kind === "drifted") {
    const { changed, isEdited, conflicts } = comparison;
    if (options.check === true || options.update !== true) {
      return {
        path,
        diagnostics: [
          importDiagnostics(
            "drift",
            tool.locate(),
            {
              variant: isEdited ? "edited" : "untouched",
              tool: tool.name,
              changed: changed.length === 0 ? ["its digest"] : changed,
            },
            about,
          ),
        ],
      };
    }
    const sides = await decide(conflicts, options, ask, shown);
    if (sides === undefined) {
      const locate = await locatorOf(shown, "text" in there ? there.text : "");
      return { path, diagnostics: conflicts.map((conflict) => conflictFinding(conflict, shown, locate, about)) };
    }
    const merged = comparison.merged(sides);
    if (merged === undefined && options.force !== true) {
      return { path, diagnostics: [importDiagnostics("not-mergeable", undefined, { path: shown }, about)] };
    }
    next = merged ?? text;
  } else if (comparison !== undefined && options.force !== true) {
    const remedy = 'It is no import of this tool. Move it away, or write over it with "--force".';
    return { path, diagnostics: [cliDiagnostics("file-exists", undefined, { path: shown, remedy }, about)] };
  } else if (options.check === true) {
    return { path, diagnostics: [importDiagnostics("not-imported", tool.locate(), about, about)] };
  }
  const result = await makeUserFile(path, next, isThere ? { replace: true } : {});
  if (result.state === "written") return { path, state: "written", diagnostics: [] };
  if (result.state === "replaced" || result.state === "unchanged") {
    const changed = comparison?.kind === "drifted" ? comparison.changed : [];
    const claims = changed.length === 0 ? [] : await approvedClaims(root, tool.name);
    const again =
      claims.length === 0
        ? []
        : [importDiagnostics("approved-before", tool.locate(), { tool: tool.name, changed, claims }, about)];
    return { path, state: "updated", diagnostics: again };
  }
  const reason = result.reason ?? "something else was put there meanwhile";
  return { path, diagnostics: [cliDiagnostics("cannot-write", undefined, { path: shown, reason }, about)] };
}

/** Writes the definitions that the specs share, or compares them with those that are there. */
export async function putShared(
  shared: SharedFile,
  tools: readonly ImportedTool[],
  { out, options, folder, root, document, ask }: PutSettings,
): Promise<readonly Diagnostic[]> {
  const { printSpec, specText } = await import("../../importers/specs/print-spec.js");
  const { compareShared } = await import("../../importers/specs/update-shared.js");
  const target = resolve(out, shared.fileName);
  const shown = slashPath(folder, target);
  const about = { tool: shared.fileName };
  const there = await readText(target);
  const isThere = "text" in there;
  if (isThere && there.text === specText(shared.content, SHARED_HEADER)) return [];
  const text = printSpec(shared.content, SHARED_HEADER);
  if (text === undefined) return [importDiagnostics("not-writable-as-yaml", undefined, about)];
  const record = recordPath(root, out, shared.fileName);
  const recorded = (await readRecord(record)) ?? {};
  const comparison = isThere ? compareShared(there.text, shared.content, recorded) : undefined;
  if (comparison?.kind === "same" && options.force !== true) return [];
  let next = text;
  if (comparison?.kind === "extended") next = comparison.text ?? text;
  else if (comparison?.kind === "drifted") {
    const { changed, isEdited, conflicts } = comparison;
    if (options.check === true || options.update !== true) {
      return [
        importDiagnostics("definition-drift", document.locate(""), {
          variant: isEdited ? "edited" : "untouched",
          path: shown,
          changed,
        }),
      ];
    }
    const sides = await decide(conflicts, options, ask, shown);
    if (sides === undefined) {
      const locate = await locatorOf(shown, "text" in there ? there.text : "");
      return conflicts.map((conflict) => conflictFinding(conflict, shown, locate));
    }
    const merged = comparison.merged(sides);
    if (merged === undefined && options.force !== true) {
      return [importDiagnostics("not-mergeable", undefined, { path: shown })];
    }
    next = merged ?? text;
  } else if (comparison?.kind === "foreign" && options.force !== true) {
    const remedy =
      'It is no import of this source, and the specs need one. Move it away, or write over it with "--force".';
    return [cliDiagnostics("file-exists", undefined, { path: shown, remedy })];
  }
  // Which of them are missing, the specs say that need them.
  if (options.check === true) return [];
  const result = await makeUserFile(target, next, isThere ? { replace: true } : {});
  if (result.state === "failed" || result.state === "exists") {
    return [
      cliDiagnostics("cannot-write", undefined, {
        path: shown,
        reason: result.reason ?? "something else was put there meanwhile",
      }),
    ];
  }
  const definitions = isObject(shared.content["$defs"]) ? shared.content["$defs"] : {};
  const reason = await writeRecord(record, { ...recorded, ...definitions });
  if (reason !== undefined) {
    return [cliDiagnostics("cannot-write", undefined, { path: slashPath(root, record), reason })];
  }
  if (comparison?.kind !== "drifted") return [];
  const approved = await Promise.all(
    tools
      .filter(leadsTo(comparison.changed, shared))
      .map(async ({ name }) => ({ name, claims: await approvedClaims(root, name) })),
  );
  return approved
    .filter(({ claims }) => claims.length > 0)
    .map(({ name, claims }) =>
      importDiagnostics(
        "approved-before",
        undefined,
        { tool: name, changed: comparison.changed, claims },
        { tool: name },
      ),
    );
}

/** Whose text holds in each conflict; `undefined` where nobody has decided. */
async function decide(
  conflicts: readonly MergeConflict[],
  { ours, theirs, force }: PutSettings["options"],
  ask: PutSettings["ask"],
  path: string,
): Promise<((conflict: MergeConflict) => Side) | undefined> {
  if (conflicts.length === 0 || ours === true) return () => "ours";
  if (theirs === true || force === true) return () => "theirs";
  const answers = await ask?.(path, conflicts);
  return answers === undefined ? undefined : ({ pointer }) => answers.get(pointer) ?? "ours";
}

async function locatorOf(uri: string, text: string): Promise<(pointer: string) => Location | undefined> {
  const { parseSource } = await import("../../phases/1-load/index.js");
  const document = parseSource({ uri, text, role: "spec" }).value;
  return (pointer) => document?.locate(pointer);
}

function conflictFinding(
  { pointer, base, ours, theirs }: MergeConflict,
  path: string,
  locate: (pointer: string) => Location | undefined,
  about: { readonly tool?: string } = {},
): Diagnostic {
  const values = { base: valueText(base), ours: valueText(ours), theirs: valueText(theirs) };
  return importDiagnostics("conflict", locate(pointer), { path, pointer, ...values }, about);
}

/** A value in a message. */
export function valueText(value: JsonValue | undefined): string {
  return value === undefined ? "nothing" : excerpt(JSON.stringify(value));
}

const SHARED_HEADER = [
  "Definitions that the specs beside it share. What the source changes, `hasp import` reports; `--update` takes it over.",
];

/** Whether a tool's schemas name one of the definitions, directly or through others. */
function leadsTo(changed: readonly string[], shared: SharedFile): (tool: ImportedTool) => boolean {
  const definitions = isObject(shared.content["$defs"]) ? shared.content["$defs"] : {};
  const named = (value: unknown): readonly string[] =>
    [...JSON.stringify(value ?? null).matchAll(/#\/\$defs\/([^"/]+)/gu)].map(([, token = ""]) =>
      unescapeToken(decodeURIComponent(token)),
    );
  return ({ spec }) => {
    const reached = new Set(named([spec["input"], spec["output"]]));
    for (const name of reached) for (const next of named(definitions[name])) reached.add(next);
    return changed.some((name) => reached.has(name));
  };
}

/** The specs below the folder that an import of this kind made and that stand elsewhere than it would put them now. */
export async function movedSpecs(
  kind: string,
  out: string,
  tools: readonly ImportedTool[],
): Promise<ReadonlyMap<string, MovedSpec>> {
  const { parseSource } = await import("../../phases/1-load/index.js");
  const expected = new Set(tools.map(({ fileName }) => fileName));
  const names = await readdir(out, { recursive: true }).catch(() => []);
  const found = new Map<string, MovedSpec>();
  for (const name of names
    .filter((candidate) => /\.tool\.(?:ya?ml|json)$/u.test(candidate) && !expected.has(candidate))
    .toSorted()) {
    const path = resolve(out, name);
    const content = await readText(path);
    // Most specs of a project are no imports; looking is cheaper than parsing.
    if (!("text" in content) || !content.text.includes("origin")) continue;
    const spec = parseSource({ uri: name, text: content.text, role: "spec" }).value?.value;
    const { origin, name: tool } = isObject(spec) ? spec : {};
    if (!isObject(origin) || origin["kind"] !== kind || typeof tool !== "string") continue;
    const atSource = String(origin["name"]);
    if (!found.has(atSource)) found.set(atSource, { path, tool, source: String(origin["source"]) });
  }
  return found;
}

/** Specs that came from this source, of tools that it does not list any longer. */
export function specsGone(
  source: string,
  { tools, refused }: Pick<ImportedSource, "tools" | "refused">,
  { folder, moved }: PutSettings,
): readonly Diagnostic[] {
  const listed = new Set([...tools.map(nameAtSource), ...refused]);
  return [...moved]
    .filter(([name, spec]) => spec.source === source && !listed.has(name) && !listed.has(spec.tool))
    .map(([, { path, tool }]) =>
      importDiagnostics("gone", undefined, { tool, path: slashPath(folder, path) }, { tool }),
    );
}

/** What the ledger approves of a tool. */
async function approvedClaims(root: string, tool: string): Promise<readonly string[]> {
  const { ledgerPath, readLedgerFile } = await import("../../ledger/ledger-file.js");
  const { parseSource } = await import("../../phases/1-load/index.js");
  const uri = ledgerPath(tool);
  const ledger = await readText(resolve(root, uri));
  const document = "text" in ledger ? parseSource({ uri, text: ledger.text, role: "ledger" }).value : undefined;
  return document === undefined ? [] : readLedgerFile(document).entries.map(({ claim }) => claim);
}

/** A tool and what the import did with its spec. */
export interface ImportedSpec {
  readonly tool: ImportedTool;
  readonly state: PutState;
  readonly path: string;
}
