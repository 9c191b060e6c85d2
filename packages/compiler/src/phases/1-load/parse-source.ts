import type { JsonValue } from "@hasp/schema";
import { isExactNumber } from "@hasp/base/json";
import { printParseErrorCode, visit } from "jsonc-parser";
import { type Diagnostic, type Found, createLocation } from "@hasp/base/diagnostics";
import type { LoadedDocument, SourceText } from "../../model/document.js";
import { listReferences } from "../../model/document-references.js";
import {
  findConflictMarker,
  BYTE_ORDER_MARK,
  createLocator,
  MEGABYTE,
  MEGABYTES_LIMIT,
  DEPTH_LIMIT,
  UNSAFE_KEY,
} from "./source-text.js";
import { loadDiagnostics, type ReportProblem } from "./diagnostics.js";
import { parseYaml } from "./parse-yaml.js";
import { type SourceSpan, createSpanMapBuilder, type SpanMap } from "./span-map.js";

export type Parsed = Found<LoadedDocument | undefined>;

/** Diagnostics confined to one value or key: everything outside it was read correctly. */
const CONFINED: ReadonlySet<string> = new Set(
  ["unsafe-key", "duplicate-key", "key-not-string", "number-not-exact", "number-not-json", "tag", "merge-key"].map(
    (name) => `load/${name}`,
  ),
);

export function parseSource(source: SourceText): Parsed {
  const { value, diagnostics } = parseLoosely(source);
  return { value: diagnostics.length > 0 ? undefined : value, diagnostics };
}

/** Parses a file of which only parts are needed. The caller must check that its part contains no diagnostic. */
export function parseParts(source: SourceText): Parsed {
  const { value, diagnostics } = parseLoosely(source);
  return { value: diagnostics.every(({ code }) => CONFINED.has(code)) ? value : undefined, diagnostics };
}

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
      const location = createLocation(uri, source.unreadableAt);
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

  const conflict = findConflictMarker(uri, text);
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
  return { value: { uri, role, text, value, references: listReferences(value), locate }, diagnostics };
}

function shift(span: SourceSpan, by: number): SourceSpan {
  return { start: span.start + by, end: span.end + by };
}

const REASONS: { readonly [code: string]: string } = {
  InvalidSymbol: "unknown token; strings need double quotes",
  InvalidNumberFormat: "this is not a valid JSON number",
  PropertyNameExpected: 'a double-quoted property name is missing (remove any comma before "}")',
  ValueExpected: 'a value is missing (remove any comma before "]" or "}")',
  ColonExpected: "a colon is missing",
  CommaExpected: "a comma is missing",
  CloseBraceExpected: 'a closing "}" is missing',
  CloseBracketExpected: 'a closing "]" is missing',
  EndOfFileExpected: "there is content after the end of the document",
  InvalidCommentToken: "JSON has no comments; use a YAML file for them",
};

/** Thrown to end the recursive visit before the stack overflows. */
class TooDeep extends Error {
  readonly offset: number;

  constructor(offset: number) {
    super();
    this.offset = offset;
  }
}

interface Level {
  readonly index: number;
  readonly object: Record<string, JsonValue> | undefined;
  readonly list: JsonValue[];
  /** The key whose value is pending; `undefined` after a refused key. */
  name: string | undefined;
  key: SourceSpan | undefined;
}

function parseJson(text: string, report: ReportProblem): { value: JsonValue | undefined; spans: SpanMap } {
  const spans = createSpanMapBuilder();
  const levels: Level[] = [];
  let root: JsonValue | undefined;
  let hasFailed = false;

  const put = (value: JsonValue): void => {
    const level = levels.at(-1);
    if (level === undefined) root = value;
    else if (level.object === undefined) level.list.push(value);
    else if (level.name !== undefined) level.object[level.name] = value;
  };
  const openValue = (offset: number): number => {
    const level = levels.at(-1);
    return spans.open(offset, level?.object === undefined ? undefined : (level.name ?? ""), level?.key);
  };
  const begin = (offset: number, object: Record<string, JsonValue> | undefined): void => {
    const list: JsonValue[] = [];
    const index = openValue(offset);
    put(object ?? list);
    levels.push({ index, object, list, name: undefined, key: undefined });
    if (levels.length > DEPTH_LIMIT) throw new TooDeep(offset);
  };
  const end = (offset: number, length: number): void => {
    const level = levels.pop();
    if (level !== undefined) spans.close(level.index, offset + length);
  };

  try {
    visit(
      text,
      {
        onObjectBegin: (offset) => begin(offset, {}),
        onObjectProperty(name, offset, length) {
          const level = levels.at(-1);
          if (level?.object === undefined) return;
          const key = { start: offset, end: offset + length };
          const isDuplicate = Object.hasOwn(level.object, name);
          if (isDuplicate) report("duplicate-key", key, { key: name });
          if (name === UNSAFE_KEY) report("unsafe-key", key, { key: name });
          level.name = isDuplicate || name === UNSAFE_KEY ? undefined : name;
          level.key = key;
        },
        onObjectEnd: end,
        onArrayBegin: (offset) => begin(offset, undefined),
        onArrayEnd: end,
        onLiteralValue(value: JsonValue, offset, length) {
          spans.close(openValue(offset), offset + length);
          const written = text.slice(offset, offset + length);
          if (typeof value === "number" && !isExactNumber(written, value)) {
            report("number-not-exact", { start: offset, end: offset + length }, { text: written, read: String(value) });
          }
          put(value === 0 ? 0 : value);
        },
        onError(code, offset, length) {
          // Later errors usually follow from the first syntax error.
          if (hasFailed) return;
          hasFailed = true;
          const name = printParseErrorCode(code);
          report("json-syntax", { start: offset, end: offset + length }, { reason: REASONS[name] ?? name });
        },
      },
      { disallowComments: true, allowTrailingComma: false },
    );
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
    report("too-deep", { start: error.offset, end: error.offset + 1 }, { limit: DEPTH_LIMIT });
    hasFailed = true;
  }
  if (root === undefined) spans.open(0);
  return { value: hasFailed ? undefined : root, spans: spans.build() };
}
