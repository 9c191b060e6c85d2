import type { Diagnostic, Found } from "../../diagnostics/diagnostic.js";
import type { LoadedDocument, SourceText } from "../../model/document.js";
import { parseSource } from "./parse-source.js";

export { parseParts, parseSource } from "./parse-source.js";

/** Reads the texts of a project; a file that cannot be read is dropped, with what is wrong in it. */
export function load(sources: readonly SourceText[]): Found<readonly LoadedDocument[]> {
  const value: LoadedDocument[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const source of sources) {
    const parsed = parseSource(source);
    diagnostics.push(...parsed.diagnostics);
    if (parsed.value !== undefined) value.push(parsed.value);
  }
  return { value, diagnostics };
}
