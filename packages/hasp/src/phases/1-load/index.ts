import type { Diagnostic, Found } from "../../diagnostics/diagnostic.js";
import type { LoadedDocument, SourceText } from "../../model/document.js";
import { CompileCache } from "../../model/facts.js";
import { parseCached } from "./parse-source.js";
import { counted, ignoreProgress, type OnProgress } from "../../diagnostics/progress.js";

export { factsOfSource, parseCached, parseParts, parseSource } from "./parse-source.js";

/** Parses the source files of a project. Drops unreadable files and reports why. */
export function load(
  sources: readonly SourceText[],
  cache: CompileCache = new CompileCache(),
  onProgress: OnProgress = ignoreProgress,
): Found<readonly LoadedDocument[]> {
  const value: LoadedDocument[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const source of counted(sources, "Parsing files", onProgress)) {
    const parsed = parseCached(source, cache);
    diagnostics.push(...parsed.diagnostics);
    if (parsed.value !== undefined) value.push(parsed.value);
  }
  return { value, diagnostics };
}
