import type { JsonObject, JsonSchema, JsonValue } from "@hasp/schema";
import { mapSubschemas } from "@hasp/schema/vocabulary";
import type { Location } from "@hasp/base/diagnostics";
import { mapMembers, findOrAdd, isStructured, dropUndefined, isObject, toRecord } from "@hasp/base/json";
import { findLosses, type ToolForm } from "@hasp/compiler/model";
import type { LoweredTool, FlatTool } from "@hasp/compiler";
import { AUTHORED_TEXTS, type EntrySchema, listEntrySchemas } from "@hasp/report";
import type { DialectEntry, LineRef, LossRow, ReadSchema, SourceView, ToolRecord } from "../model.js";
import { cut, shortenValue } from "./cut.js";

interface EntryContext {
  readonly forms: readonly ToolForm[];
  readonly texts: ReadonlyMap<string, string>;
  tokensOf(lowered: LoweredTool): number;
}

/** In characters: longer values do not fit into the table. */
const LONGEST_WITNESS = 300;
const MOST_LOSSES = 200;
const LONGEST_TEXT = 4000;

/** Returns a tool's entry in each dialect, with the source lines of its schemas. Stores equal schemas once. */
export function createDialectEntries(
  tool: FlatTool,
  { forms, texts, tokensOf }: EntryContext,
): Pick<ToolRecord, "textLines" | "schemas" | "input" | "entries" | "losses" | "sources"> {
  const sources = new SourceParts(tool);
  const refOf = (location: Location | undefined): LineRef => (location === undefined ? 0 : sources.refOf(location));
  const schemas = new Table<ReadSchema>();
  // Equal schemas of one tool come from the same lines.
  const schemaIndex = (part: EntrySchema["part"], value: JsonSchema, linesOf: () => readonly LineRef[]): number => {
    const schema = withShortTexts(value) as JsonSchema;
    return schemas.indexOf([part, schema], () => ({ schema, lines: linesOf() }));
  };
  const losses = new Table<LossRow>();
  const found = findLosses(forms);
  const entries = forms.map((form): DialectEntry => {
    if (form.kind === "excluded") return { dialect: form.dialect, excluded: form.reason };
    const { dialect, lowered } = form;
    const { codec } = lowered.lowering;
    const parts = listEntrySchemas(lowered);
    return {
      dialect,
      strict: lowered.strict,
      wireName: lowered.wireName,
      tokens: tokensOf(lowered),
      frame: frameOf(lowered.definition, new Set(parts.map(({ value }) => value))) as JsonObject,
      schemas: parts.map(({ path, part, value, places }) => [
        path,
        schemaIndex(part, value, () => places().map(refOf)),
      ]),
      losses: (found.get(dialect) ?? []).slice(0, MOST_LOSSES).map((loss) => {
        const { pointer, keyword, direction, enforcedBy, words } = loss;
        const witness = shortenValue(loss.witness, LONGEST_WITNESS);
        const row: LossRow = {
          pointer,
          keyword,
          direction,
          enforcedBy,
          line: refOf(tool.input.locate(pointer)),
          ...dropUndefined({ words, witness }),
        };
        return losses.indexOf(row, () => row);
      }),
      ...dropUndefined({ codec }),
    };
  });
  const authored = AUTHORED_TEXTS.filter((key) => tool.spec[key] !== undefined);
  return {
    textLines: toRecord(authored, (key) => refOf(tool.locate(`/${key}`))),
    input: schemaIndex("input", tool.input.schema, () => []),
    schemas: schemas.rows,
    entries,
    losses: losses.rows,
    sources: sources.views(texts),
  };
}

function frameOf(value: JsonValue, schemas: ReadonlySet<object>): JsonValue {
  if (typeof value === "string") return cut(value, LONGEST_TEXT);
  if (!isStructured(value)) return value;
  if (schemas.has(value)) return null;
  if (Array.isArray(value)) return value.map((each: JsonValue) => frameOf(each, schemas));
  return mapMembers(value as JsonObject, (each) => frameOf(each, schemas));
}

/** Shortens descriptions without changing which values are valid. */
function withShortTexts(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withShortTexts);
  if (!isObject(schema)) return schema;
  return mapMembers(schema, (value, keyword) =>
    typeof value === "string" && TEXTS.has(keyword)
      ? cut(value, LONGEST_TEXT)
      : mapSubschemas(keyword, value, withShortTexts),
  );
}

const TEXTS: ReadonlySet<string> = new Set(["title", "description"]);

class Table<Row extends object> {
  readonly rows: Row[] = [];
  readonly #indexes = new Map<string, number>();

  /** Returns the row index of a key, which is plain data; creates a missing row. */
  indexOf(key: object, make: () => Row): number {
    const text = JSON.stringify(key);
    return findOrAdd(this.#indexes, text, () => this.rows.push(make()) - 1);
  }
}

const LONGEST_LINE = 4000;
const MOST_LINES = 2000;

/** The parts of files that a page shows: the whole spec of the tool, and the referenced lines of others. */
class SourceParts {
  readonly #parts: { readonly uri: string; first: number; last: number }[];

  constructor(tool: FlatTool) {
    const { uri, range } = tool.locate("");
    const isWholeFile = tool.pointer === "";
    this.#parts = [{ uri, first: isWholeFile ? 1 : range.start.line, last: isWholeFile ? Infinity : range.end.line }];
  }

  refOf({ uri, range }: Location): LineRef {
    const { line } = range.start;
    const index = this.#parts.findIndex((part) => part.uri === uri);
    const part = this.#parts[index];
    if (part === undefined) return [this.#parts.push({ uri, first: line, last: line }) - 1, line];
    part.first = Math.min(part.first, line);
    part.last = Math.max(part.last, line);
    return index === 0 ? line : [index, line];
  }

  /** Returns the parts with the lines of the tool's spec; other files are on the page once for all tools. */
  views(texts: ReadonlyMap<string, string>): readonly SourceView[] {
    return this.#parts.map(({ uri, first, last }, index) => {
      if (index > 0) return { uri, first, last };
      const lines = splitLines(texts.get(uri) ?? "").slice(first - 1, Number.isFinite(last) ? last : undefined);
      return { uri, first, last: first + lines.length - 1, lines };
    });
  }
}

export function splitLines(text: string): readonly string[] {
  const lines = text.split(/\r\n|\n/u, MOST_LINES).map((line) => cut(line, LONGEST_LINE));
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}
