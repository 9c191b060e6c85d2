import { type AnyNode, Parser } from "acorn";

/** A fault that is found before a program runs, with its line. */
export class InvalidProgram extends Error {
  override readonly name = "InvalidProgram";

  constructor(message: string, line: number) {
    super(`${message} (line ${line})`);
  }
}

/** The text around a program, as QuickJS compiles it. */
const BEFORE = "async function program(tools\n) {\n";
const AFTER = "\n}";

/** The deepest nesting of a program, about 200 brackets: it takes a small part of the stack. */
const MOST_DEPTH = 1000;

/** One function of each recursion of the parser. Its other recursions walk what these have read. */
const RECURSIVE = [
  "parseStatement",
  "parseMaybeAssign",
  "parseMaybeUnary",
  "parseExprOp",
  "parseExprAtom",
  "parseBindingAtom",
  "regexp_disjunction",
  "regexp_eatNestedClass",
] as const;

type ParserMethod = (this: Parser, ...given: unknown[]) => unknown;

/** A plugin of the parser that refuses deep programs: at the end of the stack, V8 may abort the process. */
function limitDepth(Base: typeof Parser): typeof Parser {
  class LimitedParser extends Base {
    /** The place of the current token. */
    declare readonly start: number;
    depth = 0;
  }
  for (const name of RECURSIVE) {
    const method = Reflect.get(Base.prototype, name) as ParserMethod;
    const value = function (this: LimitedParser, ...given: unknown[]): unknown {
      this.depth += 1;
      if (this.depth > MOST_DEPTH) throw tooDeep(this.input, this.start);
      const parsed = method.apply(this, given);
      this.depth -= 1;
      return parsed;
    };
    Object.defineProperty(LimitedParser.prototype, name, { value });
  }
  return LimitedParser;
}

function tooDeep(text: string, place: number): InvalidProgram {
  return new InvalidProgram("The program is nested too deeply", lineAt(text, place));
}

const ProgramParser = /* @__PURE__ */ Parser.extend(limitDepth);

/** A program as a syntax tree. */
export interface ParsedProgram {
  readonly body: AnyNode;
  /** Returns the index in the program at which a node begins or ends. */
  placeOf(edge: number): number;
  lineOf(node: AnyNode): number;
}

/**
 * Parses a program, which is the body of a function, into a tree that is shallow enough for recursion. Throws an
 * {@link InvalidProgram} with the line.
 */
export function parseProgram(code: string): ParsedProgram {
  const text = BEFORE + code + AFTER;
  const refuseOldComment = (_isBlock: boolean, _text: string, start: number): void => {
    // HTML's form of a comment, which another parser may take for code.
    if (text[start] === "/") return;
    throw new InvalidProgram("SyntaxError: Write a comment with //", lineAt(text, start));
  };
  try {
    const [program, ...others] = ProgramParser.parse(text, { ecmaVersion: "latest", onComment: refuseOldComment }).body;
    if (program?.type === "FunctionDeclaration" && others.length === 0) {
      checkTree(program.body, text);
      const placeOf = (edge: number): number => edge - BEFORE.length;
      return { body: program.body, placeOf, lineOf: ({ start }) => lineAt(text, start) };
    }
    throw new InvalidProgram("SyntaxError: A } has no { before it", lineAt(text, (program?.end ?? 0) - 1));
  } catch (error) {
    if (!isSyntaxError(error)) throw error;
    // The parser adds line and column of its own text.
    const message = error.message.replace(/ \(\d+:\d+\)$/u, "");
    throw new InvalidProgram(`SyntaxError: ${message}`, lineAt(text, error.pos));
  }
}

/** Refuses trees that are too deep, and a regular expression that QuickJS may read as a division by what follows. */
function checkTree(body: AnyNode, text: string): void {
  const left: (readonly [node: AnyNode, depth: number])[] = [[body, 0]];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [node, depth] = next;
    if (depth > MOST_DEPTH) throw tooDeep(text, node.start);
    // It can follow an operand only at the start of a statement, before which a semicolon is inserted.
    if (node.type === "ExpressionStatement" && text[node.start] === "/") {
      throw new InvalidProgram("SyntaxError: Put the regular expression in parentheses", lineAt(text, node.start));
    }
    for (const child of listChildren(node)) left.push([child, depth + 1]);
  }
}

function isSyntaxError(error: unknown): error is SyntaxError & { readonly pos: number } {
  return error instanceof SyntaxError && "pos" in error;
}

function lineAt(text: string, place: number): number {
  const end = Math.min(place, text.length - AFTER.length);
  return text.slice(BEFORE.length, end).split(/\r\n?|[\n\u2028\u2029]/u).length;
}

export function listChildren(node: AnyNode): readonly AnyNode[] {
  return Object.values(node).flat().filter(isNode);
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === "object" && value !== null && typeof (value as Partial<AnyNode>).type === "string";
}

/** Calls back for each node below one, unless the callback returns `false` for a node above it. */
export function walkBelow(node: AnyNode, visit: (node: AnyNode) => boolean | void): void {
  for (const child of listChildren(node)) if (visit(child) !== false) walkBelow(child, visit);
}
