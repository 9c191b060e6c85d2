import type { Diagnostic, Found } from "../../diagnostics/diagnostic.js";
import { locationIn } from "../../diagnostics/location-in.js";
import type { LoadedDocument, SourceText } from "../../model/document.js";
import { conflictDiagnostic } from "./conflict-markers.js";
import { loadDiagnostics, type ReportProblem } from "./diagnostics.js";
import { BYTE_ORDER_MARK, createLocator } from "./locator.js";
import { MEGABYTE, MEGABYTES_LIMIT } from "./limits.js";
import { parseJson } from "./parse-json.js";
import { parseYaml } from "./parse-yaml.js";
import type { SourceSpan } from "./span-map.js";

/** A file as a document, or why there is none. */
export type Parsed = Found<LoadedDocument | undefined>;

/** Diagnostics confined to one value or key: everything outside it was read correctly. */
const CONFINED: ReadonlySet<string> = new Set(
  ["unsafe-key", "duplicate-key", "key-not-string", "number-not-exact", "number-not-json", "tag", "merge-key"].map(
    (name) => `load/${name}`,
  ),
);

/** Parses one file. */
export function parseSource(source: SourceText): Parsed {
  const { value, diagnostics } = parseLoosely(source);
  return { value: diagnostics.length > 0 ? undefined : value, diagnostics };
}

/**
 * Parses a file of which only parts are needed. Returns it despite diagnostics if each is confined to a value; the
 * caller must check that the part it uses contains none of them.
 */
export function parseParts(source: SourceText): Parsed {
  const { value, diagnostics } = parseLoosely(source);
  return { value: diagnostics.every(({ code }) => CONFINED.has(code)) ? value : undefined, diagnostics };
}

/** The value of a faulty document is what remains without the faults. */
function parseLoosely(source: SourceText): Parsed {
  const { uri, role, text } = source;
  const diagnostics: Diagnostic[] = [];
  const toLocation = createLocator(uri, text);
  const report: ReportProblem = (name, span, parameters) => {
    diagnostics.push(loadDiagnostics(name, toLocation(span, ""), parameters));
  };
  const refused = (): Parsed => ({ value: undefined, diagnostics });

  if (source.unreadable !== undefined) {
    // The `$ref` that leads to an unreadable shared file reports it.
    if (role !== "shared") {
      const location = locationIn(uri, source.unreadableAt);
      diagnostics.push(loadDiagnostics("unreadable-file", location, { uri, reason: source.unreadable }));
    }
    return refused();
  }
  if (text.length > MEGABYTES_LIMIT * MEGABYTE) {
    report(
      "file-too-large",
      { start: 0, end: 0 },
      { megabytes: Math.ceil(text.length / MEGABYTE), limit: MEGABYTES_LIMIT },
    );
    return refused();
  }

  const conflict = conflictDiagnostic(uri, text);
  if (conflict !== undefined) return { value: undefined, diagnostics: [conflict] };

  // A byte order mark is not part of the document, but offsets count it.
  const skipped = text.startsWith(BYTE_ORDER_MARK) ? 1 : 0;
  const shifted: ReportProblem = (name, span, parameters) => report(name, shift(span, skipped), parameters);
  const parseText = uri.toLowerCase().endsWith(".json") ? parseJson : parseYaml;
  const { value, spans } = parseText(text.slice(skipped), shifted);
  // Aliased content has one source span and several locations.
  if (value === undefined || (diagnostics.length > 0 && spans.hasAliases)) return refused();
  const locate: LoadedDocument["locate"] = (pointer, part = "value") => {
    const found = spans.find(pointer);
    const span = part === "key" && found.key !== undefined ? found.key : found.value;
    return toLocation(shift(span, skipped), found.pointer);
  };
  return { value: { uri, role, text, value, locate }, diagnostics };
}

function shift(span: SourceSpan, by: number): SourceSpan {
  return { start: span.start + by, end: span.end + by };
}
