import { resolve } from "node:path";
import type { Diagnostic } from "../../../../../compiler/src/diagnostics/diagnostic.js";
import { readText } from "../../../../../project/src/fs/read-text.js";
import { slashPath } from "../../../../../project/src/fs/slash-path.js";
import { importDiagnostics } from "../../../../../import/src/importers/source/diagnostics.js";
import type { ImportedTool, SharedFile } from "../../../../../import/src/importers/specs/imported-source.js";
import { isObject } from "../../../../../compiler/src/model/json-kind.js";
import { unescapeToken } from "../../../../../compiler/src/model/json-pointer.js";
import { cliDiagnostics } from "../../shell/diagnostics.js";
import { readRecord, recordPath, writeRecord } from "./import-records.js";
import { approvedBefore } from "./approved-claims.js";
import { mergeDrift } from "./merge-drift.js";
import type { PutSettings } from "./put-settings.js";
import { writeFailure } from "./write-failure.js";

const SHARED_HEADER = [
  "Definitions that the specs in this folder share. `hasp import` reports what changes at the source; `--update` adopts it.",
];

/** Writes or compares the definitions that the specs share. */
export async function putShared(
  shared: SharedFile,
  tools: readonly ImportedTool[],
  settings: PutSettings,
): Promise<readonly Diagnostic[]> {
  const { out, options, folder, root, document } = settings;
  const { printSpec, specText } = await import("../../../../../import/src/importers/specs/print-spec.js");
  const { compareShared } = await import("../../../../../import/src/importers/specs/update-shared.js");
  const target = resolve(out, shared.fileName);
  const path = slashPath(folder, target);
  const there = await readText(target);
  const isThere = "text" in there;
  if (isThere && there.text === specText(shared.content, SHARED_HEADER)) return [];
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
    return [cliDiagnostics("file-exists", undefined, { path, remedy })];
  }
  // The specs report missing definitions.
  if (options.check === true) return [];
  const failure = await writeFailure(target, next, { replace: isThere });
  if (failure !== undefined) return [cliDiagnostics("cannot-write", undefined, { path, reason: failure })];
  const reason = await writeRecord(record, { ...recorded, ...definitionsOf(shared) });
  if (reason !== undefined) {
    return [cliDiagnostics("cannot-write", undefined, { path: slashPath(root, record), reason })];
  }
  if (comparison?.kind !== "drifted") return [];
  const { changed } = comparison;
  const affected = tools.filter(usesAny(changed, shared));
  const approved = await Promise.all(affected.map(async ({ name }) => approvedBefore(root, name, changed)));
  return approved.filter((finding) => finding !== undefined);
}

/** Creates a check that a tool's schemas refer to one of the definitions, directly or through others. */
function usesAny(changed: readonly string[], shared: SharedFile): (tool: ImportedTool) => boolean {
  const definitions = definitionsOf(shared);
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

function definitionsOf({ content }: SharedFile): Extract<SharedFile["content"], object> {
  const definitions = content["$defs"];
  return isObject(definitions) ? definitions : {};
}
