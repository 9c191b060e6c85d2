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
/** Limits a value that shows a loss, in characters: a table has no room for a longer one. */
const LONGEST_WITNESS = 300;
/** Limits the losses of one entry that are listed. */
const MOST_LOSSES = 200;

/** Returns what each dialect's model reads of a tool, line by line, and the lines of the files that it comes from. */
export function dialectEntries(
  tool: FlatTool,
  { forms, texts, tokensOf }: EntryContext,
): Pick<ToolPage, "lines" | "entries" | "losses" | "sources"> {
  const sources = new SourceParts(tool);
  const lines = new LineTable();
  const losses: LossRow[] = [];
  const lossIndexes = new Map<string, number>();
  const lossIndex = (loss: LossRow): number => {
    const key = JSON.stringify(loss);
    const index = lossIndexes.get(key) ?? losses.push(loss) - 1;
    lossIndexes.set(key, index);
    return index;
  };
  const entries = forms.map((form): DialectEntry => {
    if (form.kind === "excluded") {
      const { dialect, reason } = form;
      return { dialect, excluded: reason, strict: false, wireName: tool.name, tokens: 0, runs: [], losses: [] };
    }
    const { dialect, lowered } = form;
    const { codec } = lowered.lowering;
    return {
      dialect,
      strict: lowered.strict,
      wireName: lowered.wireName,
      tokens: tokensOf(dialect, lowered),
      runs: lines.runsOf(
        entryLines(lowered)
          .slice(0, MOST_LINES)
          .map(({ text, location }): EntryText => {
            const shown = cut(text, LONGEST_LINE);
            return location === undefined ? [shown] : [shown, sources.indexOf(location), location.range.start.line];
          }),
      ),
      losses: lowered.lowering.losses.slice(0, MOST_LOSSES).map((loss) => {
        const { pointer, keyword, direction, enforcedBy, words } = loss;
        const { uri, range } = tool.input.locate(pointer);
        const witness = shortValue(loss.witness, LONGEST_WITNESS);
        return lossIndex({
          pointer,
          keyword,
          direction,
          enforcedBy,
          uri,
          line: range.start.line,
          ...(words === undefined ? {} : { words }),
          ...(witness === undefined ? {} : { witness }),
        });
      }),
      ...(codec === undefined ? {} : { codec }),
    };
  });
  return { lines: lines.all, entries, losses, sources: sources.views(texts) };
}

/** The lines of several entries. A line that comes twice in an entry is there twice, so that entries are long runs. */
class LineTable {
  readonly all: EntryText[] = [];
  readonly #indexes = new Map<string, number>();

  /** Returns the lines of one entry as runs of the table, to which it adds what is new. */
  runsOf(lines: readonly EntryText[]): DialectEntry["runs"] {
    const seen = new Map<string, number>();
    const runs: [from: number, count: number][] = [];
    for (const line of lines) {
      const text = line.join("\0");
      const times = (seen.get(text) ?? 0) + 1;
      seen.set(text, times);
      const index = this.#indexOf(`${times}\0${text}`, line);
      const last = runs.at(-1);
      if (last !== undefined && last[0] + last[1] === index) last[1] += 1;
      else runs.push([index, 1]);
    }
    return runs;
  }

  #indexOf(key: string, line: EntryText): number {
    const known = this.#indexes.get(key);
    if (known !== undefined) return known;
    this.#indexes.set(key, this.all.length);
    return this.all.push(line) - 1;
  }
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
    return this.#parts.map(({ uri, first, last }, index) => {
      if (index > 0) return { uri, first, last };
      const lines = linesOf(texts.get(uri) ?? "").slice(first - 1, Number.isFinite(last) ? last : undefined);
      return { uri, first, last: first + lines.length - 1, lines };
    });
  }
}

/** Returns the lines of a file as far as a page shows them. */
export function linesOf(text: string): readonly string[] {
  const lines = text.split(/\r\n|\n/u, MOST_LINES).map((line) => cut(line, LONGEST_LINE));
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}
