import { Lexer } from "yaml";
import type { Location } from "../../diagnostics/diagnostic.js";
import type { LoadedDocument } from "../../model/document.js";

/** A comment that suppresses one rule on one line. */
export interface Suppression {
  readonly rule: string;
  readonly reason: string;
  readonly location: Location;
  /** The line whose findings it suppresses. */
  readonly line: number;
}

const MARK = "hasp-ignore";
const COMMENT = /^#\s*hasp-ignore\b[ \t]*(\S*)(?:[ \t]+--[ \t]*(.*))?$/u;

/** The suppressing comments of a YAML file. Only real comments count: the words may also stand inside a text. */
export function suppressionsIn(document: LoadedDocument): readonly Suppression[] {
  const { text } = document;
  if (document.role === "ledger" || !text.includes(MARK) || document.uri.endsWith(".json")) return [];
  const suppressions: Suppression[] = [];
  let offset = 0;
  for (const token of new Lexer().lex(text)) {
    const found = token.startsWith("#") ? COMMENT.exec(token.trimEnd()) : null;
    // The lexer marks the start of a document and of a scalar with control characters that the text does not hold.
    const at = text.indexOf(token, offset);
    if (at !== -1) offset = at + token.length;
    if (found === null || at === -1) continue;
    const location = locationOf(document, at, at + token.trimEnd().length);
    const isAlone = text.slice(text.lastIndexOf("\n", at - 1) + 1, at).trim() === "";
    const line = isAlone ? lineBelow(text, location.range.start.line) : location.range.start.line;
    suppressions.push({ rule: found[1] ?? "", reason: (found[2] ?? "").trim(), location, line });
  }
  return suppressions;
}

/** The first line below a comment that is not a comment itself, so that comments may be stacked. */
function lineBelow(text: string, line: number): number {
  const lines = text.split("\n");
  let below = line + 1;
  while (below <= lines.length && /^\s*(?:#.*)?$/u.test(lines[below - 1] ?? "")) below += 1;
  return below;
}

function locationOf({ uri, text }: LoadedDocument, start: number, end: number): Location {
  const position = (offset: number): Location["range"]["start"] => {
    const before = text.slice(0, offset);
    return { offset, line: before.split("\n").length, column: offset - before.lastIndexOf("\n") };
  };
  return { uri, pointer: "", range: { start: position(start), end: position(end) } };
}
