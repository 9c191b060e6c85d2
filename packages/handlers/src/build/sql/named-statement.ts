import { attempt, printThrown } from "@hasp/base/diagnostics";
import { findParameterPlaces, sqlParser, type SqlStatement, type SqlSyntaxError, type SqlToken } from "./parser.js";

/** A named parameter such as `$customerId`. Offsets count UTF-16 units of the statement as written. */
interface SqlPlaceholder {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

type SqlProblem = {
  readonly start: number;
  readonly end: number;
} & (
  | { readonly variant: "syntax"; readonly reason: string }
  | { readonly variant: "numbered"; readonly name: string }
  | { readonly variant: "several" | "none" | "unclosed" | "no-text" }
  | { readonly variant: "long"; readonly limit: number }
);

export interface NamedStatement {
  /** The statement with `$1`, `$2`, … for names. */
  readonly text: string;
  /** The names, `$1` first, each once. */
  readonly names: readonly string[];
  readonly placeholders: readonly SqlPlaceholder[];
  readonly problems: readonly SqlProblem[];
  /** Postgres's tree; absent if there is a problem. */
  readonly tree?: SqlStatement;
  /** Converts a byte of `text` to an offset in the statement as written, in UTF-16 units. */
  offsetOf(byte: number): number;
}

/** Maximum UTF-16 units of a statement: the parser's time and memory grow with them. */
const MAX_LENGTH = 50_000;

/** Parses a statement with named parameters; Postgres's scanner tells them from lookalikes in strings and comments. */
export function parseNamedStatement(written: string): NamedStatement {
  const whole = { start: 0, end: written.length };
  const refused = (problem: SqlProblem): NamedStatement => ({
    text: written,
    names: [],
    placeholders: [],
    problems: [problem],
    offsetOf: () => 0,
  });
  if (written.length > MAX_LENGTH) return refused({ ...whole, variant: "long", limit: MAX_LENGTH });
  // Postgres stops at NUL and rejects lone surrogates.
  if (/\0|\p{Surrogate}/u.test(written)) return refused({ ...whole, variant: "no-text" });
  const tokens = readTokens(written);
  if (tokens === undefined) return refused({ ...whole, variant: "unclosed" });
  const placeholders = placeholdersIn(tokens);
  const names = [...new Set(placeholders.map(({ name }) => name))];
  const pieces = splitIntoPieces(written, placeholders, names);
  const text = pieces.map((piece) => piece.text).join("");
  const offsetOf = (byte: number): number =>
    writtenOffset(pieces, countUnits(new TextEncoder().encode(text).subarray(0, byte)));
  const numbered = tokens
    .filter(({ tokenName }) => tokenName === "PARAM")
    .map(({ start, end, text: name }) => ({ variant: "numbered", name, start, end }) as const);
  const common = { text, names, placeholders, offsetOf };
  if (numbered.length > 0) return { ...common, problems: numbered };
  return { ...common, ...parsed(text, placeholders, (offset) => writtenOffset(pieces, offset), written) };
}

interface Token {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly tokenName: string;
}

function readTokens(written: string): readonly Token[] | undefined {
  const tokens: readonly SqlToken[] | undefined = attempt(() => sqlParser().scanSync(written).tokens);
  if (tokens === undefined) return undefined;
  const bytes = new TextEncoder().encode(written);
  let [byte, at] = [0, 0];
  const advance = (to: number): number => {
    at += countUnits(bytes.subarray(byte, to));
    byte = to;
    return at;
  };
  return tokens.map(({ start, end, tokenName }) => {
    const [from, to] = [advance(start), advance(end)];
    return { start: from, end: to, text: written.slice(from, to), tokenName };
  });
}

const WORD = /^[\p{L}_][\p{L}\p{N}_]*$/u;
const HOLDERS: ReadonlySet<string> = new Set(["input", "context"]);

/** Finds `$name`, `$input.a.b` and `$context.a`: a name directly after a `$` that begins no dollar quote. */
function placeholdersIn(tokens: readonly Token[]): readonly SqlPlaceholder[] {
  const found: SqlPlaceholder[] = [];
  const joined = (index: number): Token | undefined => {
    const [before, token] = [tokens[index - 1], tokens[index]];
    return before !== undefined && token?.start === before.end ? token : undefined;
  };
  for (let index = 0; index < tokens.length; index += 1) {
    const dollar = tokens[index];
    const first = joined(index + 1);
    if (dollar?.text !== "$" || first === undefined || !WORD.test(first.text)) continue;
    let { text: name, end } = first;
    for (let at = index + 2; HOLDERS.has(first.text) && joined(at)?.text === "."; at += 2) {
      const member = joined(at + 1);
      if (member === undefined || !WORD.test(member.text)) break;
      name += `.${member.text}`;
      end = member.end;
    }
    found.push({ name, start: dollar.start, end });
  }
  return found;
}

/** A piece of the statement as sent to Postgres; `at` is its offset as written; `isName` marks replaced names. */
interface Piece {
  readonly text: string;
  readonly at: number;
  readonly isName: boolean;
}

function splitIntoPieces(
  written: string,
  placeholders: readonly SqlPlaceholder[],
  names: readonly string[],
): readonly Piece[] {
  let at = 0;
  const pieces = placeholders.flatMap(({ name, start, end }): readonly Piece[] => {
    const before = { text: written.slice(at, start), at, isName: false };
    at = end;
    return [before, { text: `$${names.indexOf(name) + 1}`, at: start, isName: true }];
  });
  return [...pieces, { text: written.slice(at), at, isName: false }];
}

function writtenOffset(pieces: readonly Piece[], offset: number): number {
  let left = offset;
  for (const { text, at, isName } of pieces) {
    if (left < text.length) return isName ? at : at + left;
    left -= text.length;
  }
  const last = pieces.at(-1);
  return last === undefined ? 0 : last.at + last.text.length;
}

function countUnits(bytes: Uint8Array): number {
  return decode(bytes).length;
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

function parsed(
  text: string,
  placeholders: readonly SqlPlaceholder[],
  offsetOf: (offset: number) => number,
  { length }: string,
): Pick<NamedStatement, "problems" | "tree"> {
  const problem = (variant: "several" | "none", start: number): Pick<NamedStatement, "problems"> => ({
    problems: [{ variant, start, end: length }],
  });
  if (text.trim() === "") return problem("none", 0);
  let statements: readonly SqlStatement[];
  try {
    statements = sqlParser().parseSync(text).stmts ?? [];
  } catch (error) {
    const { cursorPosition = 0 } = (error as SqlSyntaxError).sqlDetails ?? {};
    const start = Math.min(offsetOf([...text].slice(0, cursorPosition).join("").length), Math.max(0, length - 1));
    return { problems: [{ variant: "syntax", reason: explainError(error), start, end: start + 1 }] };
  }
  const [tree, second] = statements;
  if (tree === undefined) return problem("none", 0);
  if (second !== undefined) {
    const after = decode(new TextEncoder().encode(text).subarray(second.stmt_location ?? 0));
    return problem("several", offsetOf(text.length - after.trimStart().length));
  }
  // Scanner and parser must agree about the parameters.
  if (findParameterPlaces(tree.stmt).size !== placeholders.length) {
    const reason = "a parameter is where Postgres does not accept a value";
    return { problems: [{ variant: "syntax", reason, start: 0, end: length }] };
  }
  return { problems: [], tree };
}

function explainError(error: unknown): string {
  // The tree nests as deeply as the statement.
  return error instanceof RangeError ? "it is nested too deeply" : printThrown(error);
}
