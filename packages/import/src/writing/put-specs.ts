import { resolve } from "node:path";
import type { Diagnostic } from "@hasp/base/diagnostics";
import type { OnProgress } from "@hasp/compiler";
import { compareShared, compareSpec } from "../importers/specs/compare-import.js";
import { importDiagnostics } from "../importers/source/diagnostics.js";
import { pickImported } from "../importers/specs/imported-part.js";
import { printSpec, printUnchecked } from "../importers/specs/print-spec.js";
import {
  type ImportedSource,
  type ImportedTool,
  readSourceName,
  type SharedFile,
} from "../importers/source/importer.js";
import { readText, toSlashPath } from "@hasp/project";
import { sessionDiagnostics } from "@hasp/project/session";
import { readRecord, recordPath, writeRecord } from "./import-records.js";
import { findNeededDefinitions } from "../importers/buildable/definitions.js";
import { listSchemas, readDefinitions } from "./keep-buildable.js";
import { mergeDrift } from "./merge-drift.js";
import {
  findEarlierApproval,
  type ImportedSpec,
  type PutSettings,
  type PutState,
  writeFailure,
} from "./put-settings.js";

const SHARED_HEADER = [
  "Definitions that the specs in this folder share. `hasp import` reports what changes at the source; `--update` adopts it.",
];

async function putShared(
  shared: SharedFile,
  tools: readonly ImportedTool[],
  settings: PutSettings,
): Promise<readonly Diagnostic[]> {
  const { out, options, folder, root, document } = settings;
  const target = resolve(out, shared.fileName);
  const path = toSlashPath(folder, target);
  const there = await readText(target);
  const isThere = "text" in there;
  if (isThere && there.text === printUnchecked(shared.content, SHARED_HEADER)) return [];
  const imported = printSpec(shared.content, SHARED_HEADER);
  if (imported === undefined) return [importDiagnostics("not-writable-as-yaml", undefined, { tool: shared.fileName })];
  const record = recordPath(root, out, shared.fileName);
  const recorded = (await readRecord(record)) ?? {};
  const comparison = isThere ? compareShared(there.text, shared.content, recorded) : undefined;
  if (comparison?.kind === "same" && options.force !== true) return [];
  let next = imported;
  if (comparison?.kind === "extended") next = comparison.text ?? imported;
  else if (comparison?.kind === "drifted" && isThere) {
    if (options.check === true || options.update !== true) {
      const variant = comparison.isEdited ? "edited" : "untouched";
      const { changed } = comparison;
      return [importDiagnostics("definition-drift", document.locate(""), { variant, path, changed })];
    }
    const merged = await mergeDrift({ path, text: there.text, imported }, comparison, settings);
    if ("diagnostics" in merged) return merged.diagnostics;
    next = merged.text;
  } else if (comparison?.kind === "foreign" && options.force !== true) {
    const remedy = 'It was not imported from this source. Move it, or replace it with "--force".';
    return [sessionDiagnostics("file-exists", undefined, { path, remedy })];
  }
  // The specs report missing definitions.
  if (options.check === true) return [];
  const failure = await writeFailure(root, target, next, { replace: isThere });
  if (failure !== undefined) return [sessionDiagnostics("cannot-write", undefined, { path, reason: failure })];
  const reason = await writeRecord(root, record, { ...recorded, ...readDefinitions(shared) });
  if (reason !== undefined) {
    return [sessionDiagnostics("cannot-write", undefined, { path: toSlashPath(root, record), reason })];
  }
  if (comparison?.kind !== "drifted") return [];
  const { changed } = comparison;
  const definitions = readDefinitions(shared);
  const affected = tools.filter((tool) => {
    const needed = findNeededDefinitions(listSchemas(tool), definitions);
    return changed.some((name) => needed.has(name));
  });
  const approved = await Promise.all(affected.map(async ({ name }) => findEarlierApproval(root, name, changed)));
  return approved.filter((finding) => finding !== undefined);
}

interface PutSpec {
  readonly state?: PutState;
  readonly path: string;
  readonly text?: string;
  /** Present if the spec is there and stays as it was, though its source has changed. */
  readonly isKept?: true;
  readonly diagnostics: readonly Diagnostic[];
}

async function putSpec(tool: ImportedTool, settings: PutSettings): Promise<PutSpec> {
  const { out, options, root } = settings;
  const record = recordPath(root, out, tool.fileName);
  const put = await placeSpec(tool, settings, record);
  if (put.state === undefined || options.check === true) return put;
  const reason = await writeRecord(root, record, pickImported(tool.spec));
  if (reason === undefined) return put;
  const about = { path: toSlashPath(root, record), reason };
  return {
    ...put,
    diagnostics: [...put.diagnostics, sessionDiagnostics("cannot-write", undefined, about, { tool: tool.name })],
  };
}

async function placeSpec(tool: ImportedTool, settings: PutSettings, record: string): Promise<PutSpec> {
  const { out, header, options, folder, root, moved } = settings;
  const path = moved.get(readSourceName(tool))?.path ?? resolve(out, tool.fileName);
  const shown = toSlashPath(folder, path);
  const about = { tool: tool.name };
  const refused = (...diagnostics: readonly Diagnostic[]): PutSpec => ({ path, diagnostics });
  const kept = (...diagnostics: readonly Diagnostic[]): PutSpec => ({ path, isKept: true, diagnostics });
  const there = await readText(path);
  const isThere = "text" in there;
  const unchanged: PutSpec = { path, state: "unchanged", diagnostics: [], ...(isThere ? { text: there.text } : {}) };
  if (isThere && there.text === printUnchecked(tool.spec, header)) return unchanged;
  const imported = printSpec(tool.spec, header);
  if (imported === undefined) return refused(importDiagnostics("not-writable-as-yaml", tool.locate(), about, about));
  if (isThere && there.text === imported) return unchanged;
  const comparison = isThere ? compareSpec(there.text, tool.spec, await readRecord(record)) : undefined;
  if (comparison?.kind === "same" && options.force !== true) return unchanged;
  let next = imported;
  if (comparison?.kind === "drifted" && isThere) {
    if (options.check === true || options.update !== true) {
      const variant = comparison.isEdited ? "edited" : "untouched";
      const changed = comparison.changed.length === 0 ? ["its digest"] : comparison.changed;
      return kept(importDiagnostics("drift", tool.locate(), { variant, tool: tool.name, changed }, about));
    }
    const drifted = { path: shown, text: there.text, imported, tool: tool.name };
    const merged = await mergeDrift(drifted, comparison, settings);
    if ("diagnostics" in merged) return kept(...merged.diagnostics);
    next = merged.text;
  } else if (comparison !== undefined && options.force !== true) {
    const remedy = 'It was not imported from this tool. Move it, or replace it with "--force".';
    return refused(sessionDiagnostics("file-exists", undefined, { path: shown, remedy }, about));
  } else if (options.check === true) {
    return refused(importDiagnostics("not-imported", tool.locate(), about, about));
  }
  const reason = await writeFailure(root, path, next, { replace: isThere });
  if (reason !== undefined) {
    return refused(sessionDiagnostics("cannot-write", undefined, { path: shown, reason }, about));
  }
  if (!isThere) return { path, state: "written", text: next, diagnostics: [] };
  const changed = comparison?.kind === "drifted" ? comparison.changed : [];
  const approved = await findEarlierApproval(root, tool.name, changed, tool.locate());
  return { path, state: "updated", text: next, diagnostics: approved === undefined ? [] : [approved] };
}

export async function putAll(
  { tools, shared }: ImportedSource,
  settings: PutSettings,
  onProgress: OnProgress,
): Promise<{
  readonly states: readonly ImportedSpec[];
  readonly refused: readonly string[];
  /** Those refused tools whose specs stay as they were. */
  readonly kept: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}> {
  const diagnostics: Diagnostic[] = shared === undefined ? [] : [...(await putShared(shared, tools, settings))];
  const states: ImportedSpec[] = [];
  const refused: string[] = [];
  const kept: string[] = [];
  for (let start = 0; start < tools.length; start += AT_ONCE) {
    const some = tools.slice(start, start + AT_ONCE);
    onProgress("Writing specs", start, tools.length);
    const results = await Promise.all(some.map(async (tool) => ({ tool, ...(await putSpec(tool, settings)) })));
    for (const { tool, state, path, text = "", isKept, diagnostics: found } of results) {
      if (isKept) kept.push(tool.name);
      if (state === undefined) refused.push(tool.name);
      else states.push({ tool, state, path, suggests: SUGGESTED.test(text) });
      diagnostics.push(...found);
    }
  }
  return { states, refused, kept, diagnostics };
}

const SUGGESTED = /^[ \t]*"?suggested"?\s*:/mu;

const AT_ONCE = 32;
