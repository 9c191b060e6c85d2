import type { ProgramPreview } from "@hasp/runtime";
import { type AnyNode, parse } from "acorn";

/** A fault that is found before a program runs, with its line. */
export class InvalidProgram extends Error {
  override readonly name = "InvalidProgram";
}

/** The text around a program, as QuickJS compiles it. */
const BEFORE = "async function program(tools\n) {\n";
const AFTER = "\n}";

/** A program as a syntax tree. */
export interface ParsedProgram {
  readonly body: AnyNode;
  /** Returns the index in the program at which a node begins or ends. */
  placeOf(edge: number): number;
  lineOf(node: AnyNode): number;
}

/** Parses a program, which is the body of a function. Throws an {@link InvalidProgram} with the line. */
export function parseProgram(code: string): ParsedProgram {
  const text = BEFORE + code + AFTER;
  const refuseOldComment = (_isBlock: boolean, _text: string, start: number): void => {
    // A comment of HTML, which another parser may take for code.
    if (text[start] === "/") return;
    throw new InvalidProgram(`SyntaxError: Write a comment with // (line ${lineAt(text, start)})`);
  };
  try {
    const [program, ...others] = parse(text, { ecmaVersion: "latest", onComment: refuseOldComment }).body;
    if (program?.type === "FunctionDeclaration" && others.length === 0) {
      const placeOf = (edge: number): number => edge - BEFORE.length;
      return { body: program.body, placeOf, lineOf: ({ start }) => lineAt(text, start) };
    }
  } catch (error) {
    if (!isSyntaxError(error)) throw error;
    // The parser adds line and column of its own text.
    const message = error.message.replace(/ \(\d+:\d+\)$/u, "");
    throw new InvalidProgram(`SyntaxError: ${message} (line ${lineAt(text, error.pos)})`);
  }
  throw new InvalidProgram("SyntaxError: A } has no { before it.");
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

/** Other names by which a program may reach `tools`, or that run text as code. */
const INDIRECT: ReadonlySet<string> = new Set(["tools", "arguments", "eval", "Function"]);

/** Lists the tools that a program names. Whatever else it does with `tools` makes it `dynamic`. */
export function previewProgram(code: string): ProgramPreview {
  const names = new Set<string>();
  let dynamic = false;
  const visit = (node: AnyNode): void => {
    const name = nameOfCall(node);
    if (name !== undefined && node.type === "CallExpression") {
      names.add(name);
      return node.arguments.forEach(visit);
    }
    dynamic ||= node.type === "WithStatement" || (node.type === "Identifier" && INDIRECT.has(node.name));
    for (const child of listChildren(node)) visit(child);
  };
  try {
    visit(parseProgram(code).body);
  } catch {
    // Too deep for this stack, or invalid: it is refused before it runs.
    dynamic = true;
  }
  return Object.freeze({ tools: Object.freeze([...names].toSorted()), dynamic });
}

/** Returns the tool of a call such as `tools.read({})` or `tools["read"]({})`. */
function nameOfCall(node: AnyNode): string | undefined {
  if (node.type !== "CallExpression" || node.callee.type !== "MemberExpression") return undefined;
  const { object, property, computed } = node.callee;
  if (object.type !== "Identifier" || object.name !== "tools") return undefined;
  if (!computed) return property.type === "Identifier" ? property.name : undefined;
  return property.type === "Literal" && typeof property.value === "string" ? property.value : undefined;
}
