import type { ImportSource, SourceForm } from "../importers/importer.js";
import { visibleText } from "../report/visible-text.js";
import type { Invocation, Outcome } from "./command.js";
import { cliDiagnostics } from "./diagnostics.js";
import type { ImportOptions } from "./import.js";

/** A source that was read, with the texts of its files by path for code frames. */
export interface ReadImportSource {
  readonly source: ImportSource;
  readonly sources: ReadonlyMap<string, string>;
}

/** Reads the source that the command line names, in the form in which it is found. */
export async function readImportSource(
  form: SourceForm,
  { words, options, folder, terminal }: Invocation<ImportOptions>,
): Promise<ReadImportSource | Pick<Outcome, "diagnostics" | "sources">> {
  const [kind = "", named] = words;
  if (named === undefined) return { diagnostics: [cliDiagnostics("no-source", undefined, { kind, form })] };
  if (options.quiet !== true) terminal.error(`Reading ${visibleText(named)}\n`);
  const { readImportFile } = await import("../io/read-import-file.js");
  const read = await readImportFile(folder, named);
  if ("reason" in read) return { diagnostics: [cliDiagnostics("cannot-read", undefined, { path: named, reason: read.reason })] };
  return read;
}
