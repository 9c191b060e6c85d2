import type { DialectId } from "@hasp/schema";
import type { Location } from "../../diagnostics/diagnostic.js";
import type { LoweredTool, ToolForm } from "../../model/lowered.js";
import type { FlatTool } from "../../model/tool.js";
import { entryLines } from "../../views/side-by-side.js";
import type { DialectEntry, EntryText, LossRow, SourceView, ToolPage } from "../model.js";
import { cut, shortValue } from "./cut.js";

/** What the entries of a tool are made from. */
interface EntryContext {
  readonly forms: readonly ToolForm[];
  readonly texts: ReadonlyMap<string, string>;
  tokensOf(dialect: DialectId, lowered: LoweredTool): number;
}

/** Limits one line of a file or an entry, in characters. */
const LONGEST_LINE = 4000;
/** Limits the lines of one file or entry. */
const MOST_LINES = 2000;
/** Limits the losses of one entry that are listed. */
const MOST_LOSSES = 200;

/** Returns what each dialect's model reads of a tool, line by line, and the lines of the files that it comes from. */
export function dialectEntries(
  tool: FlatTool,
  { forms, texts, tokensOf }: EntryContext,
): Pick<ToolPage, "entries" | "sources"> {
  const sources = new SourceParts(tool);
  const entries = forms.map((form): DialectEntry => {
    if (form.kind === "excluded") {
      const { dialect, reason } = form;
      return { dialect, excluded: reason, strict: false, wireName: tool.name, tokens: 0, lines: [], losses: [] };
    }
    const { dialect, lowered } = form;
    const { codec } = lowered.lowering;
    return {
      dialect,
      strict: lowered.strict,
      wireName: lowered.wireName,
      tokens: tokensOf(dialect, lowered),
      lines: entryLines(lowered)
        .slice(0, MOST_LINES)
        .map(({ text, location }): EntryText => {
          const shown = cut(text, LONGEST_LINE);
          return location === undefined ? [shown] : [shown, sources.indexOf(location), location.range.start.line];
        }),
      losses: lowered.lowering.losses.slice(0, MOST_LOSSES).map((loss): LossRow => {
        const { pointer, keyword, direction, enforcedBy, words } = loss;
        const { uri, range } = tool.input.locate(pointer);
        const witness = shortValue(loss.witness);
        return {
          pointer,
          keyword,
          direction,
          enforcedBy,
          uri,
          line: range.start.line,
          ...(words === undefined ? {} : { words }),
          ...(witness === undefined ? {} : { witness }),
        };
      }),
      ...(codec === undefined ? {} : { codec }),
    };
  });
  return { entries, sources: sources.views(texts) };
}

/** The parts of the project's files that a page shows: all of the tool's own spec, and of others what is referred to. */
class SourceParts {
  readonly #parts: { readonly uri: string; first: number; last: number }[];

  constructor(tool: FlatTool) {
    const { uri, range } = tool.locate("");
    const isWholeFile = tool.pointer === "";
    this.#parts = [{ uri, first: isWholeFile ? 1 : range.start.line, last: isWholeFile ? Infinity : range.end.line }];
  }

  /** Returns the index of the file of a location, whose line will be shown. */
  indexOf({ uri, range }: Location): number {
    const { line } = range.start;
    const index = this.#parts.findIndex((part) => part.uri === uri);
    const part = this.#parts[index];
    if (part === undefined) return this.#parts.push({ uri, first: line, last: line }) - 1;
    part.first = Math.min(part.first, line);
    part.last = Math.max(part.last, line);
    return index;
  }

  views(texts: ReadonlyMap<string, string>): readonly SourceView[] {
    return this.#parts.map(({ uri, first, last }) => {
      const all = (texts.get(uri) ?? "").split(/\r\n|\n/u);
      if (all.at(-1) === "") all.pop();
      const wanted = all.slice(first - 1, Number.isFinite(last) ? last : undefined);
      const lines = wanted.slice(0, MOST_LINES).map((line) => cut(line, LONGEST_LINE));
      const omitted = wanted.length - lines.length;
      return { uri, first, lines, ...(omitted === 0 ? {} : { omitted }) };
    });
  }
}
