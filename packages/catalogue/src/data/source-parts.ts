import type { Location } from "../../../compiler/src/diagnostics/diagnostic.js";
import type { FlatTool } from "../../../compiler/src/model/tool.js";
import type { LineRef, SourceView } from "../model.js";
import { cut } from "./cut.js";

const LONGEST_LINE = 4000;
const MOST_LINES = 2000;

/** The parts of files that a page shows: the whole spec of the tool, and the referenced lines of others. */
export class SourceParts {
  readonly #parts: { readonly uri: string; first: number; last: number }[];

  constructor(tool: FlatTool) {
    const { uri, range } = tool.locate("");
    const isWholeFile = tool.pointer === "";
    this.#parts = [{ uri, first: isWholeFile ? 1 : range.start.line, last: isWholeFile ? Infinity : range.end.line }];
  }

  /** Refers to the line of a location, and includes it. */
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
      const lines = linesOf(texts.get(uri) ?? "").slice(first - 1, Number.isFinite(last) ? last : undefined);
      return { uri, first, last: first + lines.length - 1, lines };
    });
  }
}

export function linesOf(text: string): readonly string[] {
  const lines = text.split(/\r\n|\n/u, MOST_LINES).map((line) => cut(line, LONGEST_LINE));
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}
