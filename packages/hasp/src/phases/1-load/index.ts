import type { Diagnostic, Found } from "../../diagnostics/diagnostic.js";
import type { LoadedDocument, SourceText } from "../../model/document.js";
import { CompileCache } from "../../model/facts.js";
import { parseCached } from "./parse-source.js";

export { parseCached, parseParts, parseSource } from "./parse-source.js";

/** Reads the texts of a project; a file that cannot be read is dropped, with what is wrong in it. */
export function load(
  sources: readonly SourceText[],
  cache: CompileCache = new CompileCache(),
): Found<readonly LoadedDocument[]> {
  const value: LoadedDocument[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const source of sources) {
    const parsed = parseCached(source, cache);
    diagnostics.push(...parsed.diagnostics);
    if (parsed.value !== undefined) value.push(parsed.value);
  }
  return { value, diagnostics };
}
