import type { ProgramPreview } from "@hasp/runtime";
import { type AnyNode, type ContinueStatement, type ForOfStatement, type LabeledStatement, parse } from "acorn";

/** A fault that is found before a program runs, with its line. */
export class InvalidProgram extends Error {
  override readonly name = "InvalidProgram";
}

/** The text around a program, as QuickJS compiles it. */
const BEFORE = "async function program(tools\n) {\n";
const AFTER = "\n}";

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
    for (const child of childrenOf(node)) visit(child);
  };
  try {
    visit(parseProgram(code));
  } catch {
    // Too deep for this stack, or invalid: it is refused before it runs.
    dynamic = true;
  }
  return Object.freeze({ tools: Object.freeze([...names].toSorted()), dynamic });
}

/** The text that QuickJS runs in place of a program, so that it does what the program says. */
export interface PreparedProgram {
  /** Has the lines of the program. */
  readonly code: string;
  /** The name of the parameter that follows the iterators of `for await`. */
  readonly follow: string;
}

/** Prepares a program for QuickJS. Throws an {@link InvalidProgram} with the line. */
export function prepareProgram(code: string): PreparedProgram {
  let prefix = "$hasp";
  while (code.includes(prefix)) prefix += "$";
  const rewriting = new Rewriting(prefix);
  try {
    rewriting.visit(parseProgram(code));
  } catch (error) {
    throw error instanceof RangeError ? new InvalidProgram("The program is nested too deeply.") : error;
  }
  return { code: rewriting.apply(code), follow: prefix };
}

/** Text that takes the place of a part of the program, which may be empty. */
interface Edit {
  readonly start: number;
  readonly end: number;
  text: string;
}

interface Loop {
  readonly node: AnyNode;
  readonly labels: readonly string[];
  /** The label of its body, once a `continue` needs it. */
  bodyLabel: string | undefined;
}

/**
 * Rewrites what QuickJS runs wrongly. A `continue` skips the copy of the variables of `for (let …;…;…)`, so that functions
 * see later values: it becomes a `break` out of the body. A `for await` that is left does not wait for the end of its
 * generator: the program waits itself.
 */
class Rewriting {
  readonly #prefix: string;
  readonly #edits: Edit[] = [];
  readonly #loops: Loop[] = [];
  #bodies = 0;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  visit(node: AnyNode, labels: readonly string[] = []): void {
    if (node.type === "LabeledStatement") this.#visitLabelled(node, labels);
    else if (node.type === "ContinueStatement") this.#visitContinue(node);
    else if (isLoop(node)) this.#visitLoop(node, labels);
    else for (const child of childrenOf(node)) this.visit(child);
  }

  apply(code: string): string {
    let text = "";
    let at = 0;
    // The sort is stable: at one place, an outer loop begins first and ends last.
    for (const edit of this.#edits.toSorted((a, b) => a.start - b.start)) {
      text += code.slice(at, edit.start - BEFORE.length) + edit.text;
      at = edit.end - BEFORE.length;
    }
    return text + code.slice(at);
  }

  #insert(place: number, text: string): Edit {
    const edit = { start: place, end: place, text };
    this.#edits.push(edit);
    return edit;
  }

  #visitLabelled(node: LabeledStatement, labels: readonly string[]): void {
    const waits = labels.length === 0 && findAwaitingLoop(node) !== undefined;
    if (waits) this.#insert(node.start, this.#beginToFollow());
    this.visit(node.body, [...labels, node.label.name]);
    if (waits) this.#insert(node.end, this.#waitForEnd());
  }

  #visitLoop(node: LoopNode, labels: readonly string[]): void {
    const loop: Loop = { node, labels, bodyLabel: undefined };
    const awaiting = findAwaitingLoop(node);
    const waits = awaiting !== undefined && labels.length === 0;
    if (waits) this.#insert(node.start, this.#beginToFollow());
    for (const child of childrenOf(node)) {
      if (child !== node.body) this.#visitHead(child, awaiting?.right === child);
    }
    this.#loops.push(loop);
    const start = this.#insert(node.body.start, "");
    this.visit(node.body);
    if (loop.bodyLabel !== undefined) {
      start.text = `${loop.bodyLabel}:{`;
      this.#insert(node.body.end, "}");
    }
    this.#loops.pop();
    if (waits) this.#insert(node.end, this.#waitForEnd());
  }

  #visitHead(node: AnyNode, isFollowed: boolean): void {
    if (isFollowed) this.#insert(node.start, `${this.#prefix}Loop.of(`);
    this.visit(node);
    if (isFollowed) this.#insert(node.end, ")");
  }

  #visitContinue({ start, label }: ContinueStatement): void {
    const name = label?.name;
    const loop = this.#loops.findLast(({ labels }) => name === undefined || labels.includes(name));
    if (loop?.node.type !== "ForStatement") return;
    if (loop.node.init?.type !== "VariableDeclaration" || loop.node.init.kind !== "let") return;
    loop.bodyLabel ??= `${this.#prefix}${(this.#bodies += 1)}`;
    this.#edits.push({ start, end: label?.end ?? start + "continue".length, text: `break ${loop.bodyLabel}` });
  }

  #beginToFollow(): string {
    return `{const ${this.#prefix}Loop=${this.#prefix}();try{`;
  }

  /** An error of the loop counts more than one of the generator's end. */
  #waitForEnd(): string {
    const loop = `${this.#prefix}Loop`;
    const error = `${this.#prefix}Error`;
    const fail = `if(${loop}.ended)try{await ${loop}.ended}catch{}${loop}.ended=undefined;throw ${error}`;
    return `}catch(${error}){${fail}}finally{if(${loop}.ended)await ${loop}.ended}}`;
  }
}

type LoopNode = Extract<AnyNode, { readonly type: (typeof LOOPS)[number] }>;
const LOOPS = ["ForStatement", "ForInStatement", "ForOfStatement", "WhileStatement", "DoWhileStatement"] as const;

function isLoop(node: AnyNode): node is LoopNode {
  return LOOPS.some((type) => type === node.type);
}

/** Returns the loop of a `for await`, also behind its labels. */
function findAwaitingLoop(node: AnyNode): ForOfStatement | undefined {
  if (node.type === "LabeledStatement") return findAwaitingLoop(node.body);
  return node.type === "ForOfStatement" && node.await ? node : undefined;
}

/** Returns the tool of a call such as `tools.read({})` or `tools["read"]({})`. */
function nameOfCall(node: AnyNode): string | undefined {
  if (node.type !== "CallExpression" || node.callee.type !== "MemberExpression") return undefined;
  const { object, property, computed } = node.callee;
  if (object.type !== "Identifier" || object.name !== "tools") return undefined;
  if (!computed) return property.type === "Identifier" ? property.name : undefined;
  return property.type === "Literal" && typeof property.value === "string" ? property.value : undefined;
}

/** Parses a program, which has one function's body. Throws an {@link InvalidProgram} with the line. */
function parseProgram(code: string): AnyNode {
  const text = BEFORE + code + AFTER;
  const refuseOldComment = (_isBlock: boolean, _text: string, start: number): void => {
    // A comment of HTML, which another parser may take for code.
    if (text[start] === "/") return;
    throw new InvalidProgram(`SyntaxError: Write a comment with // (line ${lineAt(text, start)})`);
  };
  try {
    const [program, ...others] = parse(text, { ecmaVersion: "latest", onComment: refuseOldComment }).body;
    if (program?.type === "FunctionDeclaration" && others.length === 0) return program.body;
  } catch (error) {
    if (error instanceof InvalidProgram) throw error;
    if (!isSyntaxError(error)) throw error;
    // The parser adds line and column of its own text.
    throw new InvalidProgram(
      `SyntaxError: ${error.message.replace(/ \(\d+:\d+\)$/u, "")} (line ${lineAt(text, error.pos)})`,
    );
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

function childrenOf(node: AnyNode): readonly AnyNode[] {
  return Object.values(node).flat().filter(isNode);
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === "object" && value !== null && typeof (value as Partial<AnyNode>).type === "string";
}
