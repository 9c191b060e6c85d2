import type { JsonValue } from "@hasp/schema";
import { excerpt } from "@hasp/schema/internal/diagnostics";
import type { Diagnostic, Location } from "../../../../../compiler/src/diagnostics/diagnostic.js";
import { importDiagnostics } from "../../../../../import/src/importers/source/diagnostics.js";
import type { MergeConflict, Side } from "../../../../../import/src/importers/specs/merge-import.js";
import type { PutSettings } from "./put-settings.js";

interface DriftedFile {
  readonly path: string;
  readonly text: string;
  readonly imported: string;
  readonly tool?: string;
}

interface Drift {
  readonly conflicts: readonly MergeConflict[];
  merged(choose: (conflict: MergeConflict) => Side): string | undefined;
}

/** Merges a file with its source. Reports undecided conflicts, and files that cannot be edited. */
export async function mergeDrift(
  { path, text, imported, tool }: DriftedFile,
  { conflicts, merged }: Drift,
  { options, ask }: Pick<PutSettings, "options" | "ask">,
): Promise<{ readonly text: string } | { readonly diagnostics: readonly Diagnostic[] }> {
  const choose = await decide(conflicts, options, ask, path);
  if (choose === undefined) {
    const locate = await locatorOf(path, text);
    return {
      diagnostics: conflicts.map(({ pointer, base, ours, theirs }) => {
        const values = { base: valueText(base), ours: valueText(ours), theirs: valueText(theirs) };
        return importDiagnostics("conflict", locate(pointer), { path, pointer, ...values }, { tool });
      }),
    };
  }
  const result = merged(choose) ?? (options.force === true ? imported : undefined);
  if (result === undefined) return { diagnostics: [importDiagnostics("not-mergeable", undefined, { path }, { tool })] };
  return { text: result };
}

/** Decides each conflict; `undefined` if nobody has. */
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
  const { parseSource } = await import("../../../../../compiler/src/phases/1-load/index.js");
  const document = parseSource({ uri, text, role: "spec" }).value;
  return (pointer) => document?.locate(pointer);
}

export function valueText(value: JsonValue | undefined): string {
  return value === undefined ? "nothing" : excerpt(JSON.stringify(value));
}
