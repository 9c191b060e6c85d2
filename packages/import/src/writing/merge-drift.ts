import type { JsonValue } from "@hasp/schema";
import { excerpt, type Diagnostic, type Location } from "@hasp/base/diagnostics";
import { importDiagnostics } from "../importers/source/diagnostics.js";
import type { MergeConflict, Side } from "../importers/specs/merge-import.js";
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
        const values = { base: printSide(base), ours: printSide(ours), theirs: printSide(theirs) };
        return importDiagnostics("conflict", locate(pointer), { path, pointer, ...values }, { tool });
      }),
    };
  }
  const result = merged(choose) ?? (options.force === true ? imported : undefined);
  if (result === undefined) return { diagnostics: [importDiagnostics("not-mergeable", undefined, { path }, { tool })] };
  return { text: result };
}

async function decide(
  conflicts: readonly MergeConflict[],
  { prefer, force }: PutSettings["options"],
  ask: PutSettings["ask"],
  path: string,
): Promise<((conflict: MergeConflict) => Side) | undefined> {
  if (conflicts.length === 0 || prefer === "ours") return () => "ours";
  if (prefer === "theirs" || force === true) return () => "theirs";
  const answers = await ask?.(path, conflicts);
  return answers === undefined ? undefined : ({ pointer }) => answers.get(pointer) ?? "ours";
}

async function locatorOf(uri: string, text: string): Promise<(pointer: string) => Location | undefined> {
  const { parseSource } = await import("@hasp/compiler/source");
  const document = parseSource({ uri, text, role: "spec" }).value;
  return (pointer) => document?.locate(pointer);
}

/** Prints a value of a conflict in a line. */
export function printSide(value: JsonValue | undefined): string {
  return value === undefined ? "nothing" : excerpt(JSON.stringify(value));
}
