import type { Diagnostic, Found } from "../../diagnostics/diagnostic.js";
import type { LoadedDocument, SourceText } from "../../model/document.js";
import { loadDiagnostics, type ReportProblem } from "./diagnostics.js";
import { BYTE_ORDER_MARK, createLocator } from "./locator.js";
import { DEPTH_LIMIT, MEGABYTE, MEGABYTES_LIMIT } from "./limits.js";
import { parseJson } from "./parse-json.js";
import { parseYaml } from "./parse-yaml.js";
import type { Place } from "./place-map.js";

type Parsed = Found<LoadedDocument | undefined>;

const parsedSources = new WeakMap<SourceText, Parsed>();

/** Parses one file. The same object is parsed once, so that whoever discovers `$ref`s may parse before `load` does. */
export function parseSource(source: SourceText): Parsed {
  const known = parsedSources.get(source);
  if (known !== undefined) return known;
  const parsed = parse(source);
  parsedSources.set(source, parsed);
  return parsed;
}

function parse(source: SourceText): Parsed {
  const { uri, role, text } = source;
  const diagnostics: Diagnostic[] = [];
  const toLocation = createLocator(uri, text);
  const report: ReportProblem = (name, place, parameters) => {
    diagnostics.push(loadDiagnostics(name, toLocation(place, ""), parameters));
  };
  const refused = (): Parsed => ({ value: undefined, diagnostics });

  if (source.unreadable !== undefined) {
    // A shared file that nothing can be read from is the business of the `$ref` that leads to it.
    if (role !== "shared")
      diagnostics.push(loadDiagnostics("unreadable-file", undefined, { uri, reason: source.unreadable }));
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

  // A byte order mark is no part of the document, yet the offsets are to be those of the whole text.
  const skipped = text.startsWith(BYTE_ORDER_MARK) ? 1 : 0;
  const shifted: ReportProblem = (name, place, parameters) => report(name, shift(place, skipped), parameters);
  const parseText = uri.toLowerCase().endsWith(".json") ? parseJson : parseYaml;
  try {
    const { value, places } = parseText(text.slice(skipped), shifted);
    if (value === undefined || diagnostics.length > 0) return refused();
    const locate: LoadedDocument["locate"] = (pointer, part = "value") => {
      const found = places.find(pointer);
      const place = part === "key" && found.key !== undefined ? found.key : found.value;
      return toLocation(shift(place, skipped), found.pointer);
    };
    return { value: { uri, role, text, value, locate }, diagnostics };
  } catch (error) {
    // Both parsers recurse; a text that is nothing but brackets exhausts the stack before our own limit is reached.
    if (!(error instanceof RangeError)) throw error;
    if (diagnostics.length === 0) report("too-deep", { start: 0, end: 0 }, { limit: DEPTH_LIMIT });
    return refused();
  }
}

function shift(place: Place, by: number): Place {
  return { start: place.start + by, end: place.end + by };
}
