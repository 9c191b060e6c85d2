import { resolve } from "node:path";
import type { Diagnostic } from "../../../../../compiler/src/diagnostics/diagnostic.js";
import { readText } from "../../../../../project/src/fs/read-text.js";
import { slashPath } from "../../../../../project/src/fs/slash-path.js";
import { importDiagnostics } from "../../../../../import/src/importers/source/diagnostics.js";
import { type ImportedTool, nameAtSource } from "../../../../../import/src/importers/specs/imported-source.js";
import { cliDiagnostics } from "../../shell/diagnostics.js";
import { readRecord, recordPath, writeRecord } from "./import-records.js";
import { approvedBefore } from "./approved-claims.js";
import { mergeDrift } from "./merge-drift.js";
import type { PutSettings, PutState } from "./put-settings.js";
import { writeFailure } from "./write-failure.js";

/** The outcome for one spec. Without a state, the tool was not imported. */
interface PutSpec {
  readonly state?: PutState;
  readonly path: string;
  readonly text?: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** Writes or compares one spec, and records what the source said. */
export async function putSpec(tool: ImportedTool, settings: PutSettings): Promise<PutSpec> {
  const { out, options, root } = settings;
  const record = recordPath(root, out, tool.fileName);
  const put = await placeSpec(tool, settings, record);
  if (put.state === undefined || options.check === true) return put;
  const { importedPart } = await import("../../../../../import/src/importers/specs/imported-part.js");
  const reason = await writeRecord(record, importedPart(tool.spec));
  if (reason === undefined) return put;
  const about = { path: slashPath(root, record), reason };
  return {
    ...put,
    diagnostics: [...put.diagnostics, cliDiagnostics("cannot-write", undefined, about, { tool: tool.name })],
  };
}

async function placeSpec(tool: ImportedTool, settings: PutSettings, record: string): Promise<PutSpec> {
  const { out, header, options, folder, root, moved } = settings;
  const { printSpec, specText } = await import("../../../../../import/src/importers/specs/print-spec.js");
  const path = moved.get(nameAtSource(tool))?.path ?? resolve(out, tool.fileName);
  const shown = slashPath(folder, path);
  const about = { tool: tool.name };
  const refused = (...diagnostics: readonly Diagnostic[]): PutSpec => ({ path, diagnostics });
  const there = await readText(path);
  const isThere = "text" in there;
  const unchanged: PutSpec = { path, state: "unchanged", diagnostics: [], ...(isThere ? { text: there.text } : {}) };
  if (isThere && there.text === specText(tool.spec, header)) return unchanged;
  const imported = printSpec(tool.spec, header);
  if (imported === undefined) return refused(importDiagnostics("not-writable-as-yaml", tool.locate(), about, about));
  if (isThere && there.text === imported) return unchanged;
  const { compareSpec } = await import("../../../../../import/src/importers/specs/update-spec.js");
  const comparison = isThere ? compareSpec(there.text, tool.spec, await readRecord(record)) : undefined;
  if (comparison?.kind === "same" && options.force !== true) return unchanged;
  let next = imported;
  if (comparison?.kind === "drifted" && isThere) {
    if (options.check === true || options.update !== true) {
      const variant = comparison.isEdited ? "edited" : "untouched";
      const changed = comparison.changed.length === 0 ? ["its digest"] : comparison.changed;
      return refused(importDiagnostics("drift", tool.locate(), { variant, tool: tool.name, changed }, about));
    }
    const drifted = { path: shown, text: there.text, imported, tool: tool.name };
    const merged = await mergeDrift(drifted, comparison, settings);
    if ("diagnostics" in merged) return refused(...merged.diagnostics);
    next = merged.text;
  } else if (comparison !== undefined && options.force !== true) {
    const remedy = 'It was not imported from this tool. Move it, or replace it with "--force".';
    return refused(cliDiagnostics("file-exists", undefined, { path: shown, remedy }, about));
  } else if (options.check === true) {
    return refused(importDiagnostics("not-imported", tool.locate(), about, about));
  }
  const reason = await writeFailure(path, next, { replace: isThere });
  if (reason !== undefined) return refused(cliDiagnostics("cannot-write", undefined, { path: shown, reason }, about));
  if (!isThere) return { path, state: "written", text: next, diagnostics: [] };
  const changed = comparison?.kind === "drifted" ? comparison.changed : [];
  const approved = await approvedBefore(root, tool.name, changed, tool.locate());
  return { path, state: "updated", text: next, diagnostics: approved === undefined ? [] : [approved] };
}
