import type {
  AnyNode,
  BlockStatement,
  BreakStatement,
  ContinueStatement,
  ForOfStatement,
  LabeledStatement,
  ReturnStatement,
  TryStatement,
} from "acorn";
import { listChildren, InvalidProgram, parseProgram, type ParsedProgram, walkBelow } from "./parse-program.js";

/** The text that QuickJS runs in place of a program, so that it does what the program says. */
export interface RewrittenProgram {
  /** Keeps the line numbers of the program. */
  readonly code: string;
  /** The name of the parameter that follows the iterators of `for await`. */
  readonly follow: string;
}

/** Rewrites the code that QuickJS runs differently from JavaScript. Throws an {@link InvalidProgram} with the line. */
export function rewriteProgram(code: string): RewrittenProgram {
  let prefix = "$hasp";
  while (code.includes(prefix)) prefix += "$";
  const program = parseProgram(code);
  const rewriting = new Rewriting(program, prefix);
  rewriting.visit(program.body);
  return { code: rewriting.apply(code), follow: prefix };
}

/** Text that takes the place of a part of the program, which may be empty. */
interface Edit {
  readonly start: number;
  readonly end: number;
  text: string;
}

/** A statement that `break` or `continue` may end. */
interface Target {
  readonly node: AnyNode;
  readonly labels: readonly string[];
  /** The label of a loop's body, once a `continue` needs it. */
  bodyLabel: string | undefined;
}

interface Jump {
  readonly word: "break" | "continue";
  readonly label: string | undefined;
  readonly target: Target;
}

/** A `try` block that runs as a function of its own, and the ways in which it leaves that function. */
interface Enclosure {
  /** The number of targets outside of it. */
  readonly depth: number;
  readonly jumps: Jump[];
  returns: boolean;
  awaits: boolean;
}

/** One function of the program. */
interface FunctionFrame {
  readonly targets: Target[];
  readonly enclosures: Enclosure[];
}

/**
 * Rewrites, without moving a line:
 * - `continue` in `for (let …;…;…)`. It skips the copy of the variables, so that functions see later values: it becomes a
 *   `break` out of the body.
 * - `try` blocks in loops whose variables functions keep. If an error leaves the block, those functions see the values of
 *   the next round: the block becomes a function of its own, whose variables are its own.
 * - `for await` that is left. It does not wait for the end of its generator: the program waits itself.
 */
class Rewriting {
  readonly #program: ParsedProgram;
  readonly #prefix: string;
  readonly #edits: Edit[] = [];
  #frame: FunctionFrame = { targets: [], enclosures: [] };
  #bodies = 0;

  constructor(program: ParsedProgram, prefix: string) {
    this.#program = program;
    this.#prefix = prefix;
  }

  visit(node: AnyNode, labels: readonly string[] = []): void {
    if (isFunction(node)) return this.#visitFunction(node);
    if (isLoop(node)) return this.#visitLoop(node, labels);
    switch (node.type) {
      case "LabeledStatement":
        return this.#visitLabelled(node, labels);
      case "SwitchStatement":
        return this.#visitWithin(node, []);
      case "BreakStatement":
      case "ContinueStatement":
        return this.#visitJump(node);
      case "ReturnStatement":
        return this.#visitReturn(node);
      case "TryStatement":
        return this.#visitTry(node);
      case "AwaitExpression":
        this.#markAwait();
    }
    for (const child of listChildren(node)) this.visit(child);
  }

  apply(code: string): string {
    let text = "";
    let at = 0;
    // The sort is stable: at one place, what is outside begins first and ends last.
    for (const { start, end, text: written } of this.#edits.toSorted((a, b) => a.start - b.start)) {
      text += code.slice(at, this.#program.placeOf(start)) + written;
      at = this.#program.placeOf(end);
    }
    return text + code.slice(at);
  }

  #insert(place: number, text: string): Edit {
    const edit = { start: place, end: place, text };
    this.#edits.push(edit);
    return edit;
  }

  #visitFunction(node: AnyNode): void {
    const outer = this.#frame;
    this.#frame = { targets: [], enclosures: [] };
    for (const child of listChildren(node)) this.visit(child);
    this.#frame = outer;
  }

  #visitLabelled(node: LabeledStatement, labels: readonly string[]): void {
    const { body, label } = node;
    const own = [...labels, label.name];
    const waits = labels.length === 0 && findAwaitingLoop(node) !== undefined;
    if (waits) this.#insert(node.start, this.#beginToFollow());
    if (isLoop(body) || body.type === "LabeledStatement") this.visit(body, own);
    else this.#visitWithin(node, own);
    if (waits) this.#insert(node.end, this.#waitForEnd());
  }

  #visitWithin(node: AnyNode, labels: readonly string[]): void {
    this.#frame.targets.push({ node, labels, bodyLabel: undefined });
    for (const child of listChildren(node)) this.visit(child);
    this.#frame.targets.pop();
  }

  #visitLoop(node: LoopNode, labels: readonly string[]): void {
    const awaiting = findAwaitingLoop(node);
    if (awaiting !== undefined) this.#markAwait();
    const waits = awaiting !== undefined && labels.length === 0;
    if (waits) this.#insert(node.start, this.#beginToFollow());
    for (const child of listChildren(node)) {
      if (child !== node.body) this.#visitHead(child, child === awaiting?.right);
    }
    const start = this.#insert(node.body.start, "");
    const target: Target = { node, labels, bodyLabel: undefined };
    this.#frame.targets.push(target);
    this.visit(node.body);
    this.#frame.targets.pop();
    if (target.bodyLabel !== undefined) {
      start.text = `${target.bodyLabel}:{`;
      this.#insert(node.body.end, "}");
    }
    if (waits) this.#insert(node.end, this.#waitForEnd());
  }

  #visitHead(node: AnyNode, isFollowed: boolean): void {
    if (isFollowed) this.#insert(node.start, `${this.#prefix}Loop.of(`);
    this.visit(node);
    if (isFollowed) this.#insert(node.end, ")");
  }

  #beginToFollow(): string {
    return `{const ${this.#prefix}Loop=${this.#prefix}();try{`;
  }

  /** Writes the end of the loop, whose own error takes precedence over one of the generator's end. */
  #waitForEnd(): string {
    const loop = `${this.#prefix}Loop`;
    const error = `${this.#prefix}Error`;
    const fail = `if(${loop}.ended)try{await ${loop}.ended}catch{}${loop}.ended=undefined;throw ${error}`;
    return `}catch(${error}){${fail}}finally{if(${loop}.ended)await ${loop}.ended}}`;
  }

  #visitJump(node: BreakStatement | ContinueStatement): void {
    const word = node.type === "BreakStatement" ? "break" : "continue";
    const label = node.label?.name;
    const target = this.#frame.targets.findLast((each) =>
      label === undefined
        ? isLoop(each.node) || (word === "break" && each.node.type === "SwitchStatement")
        : each.labels.includes(label),
    );
    // The parser refuses a jump without a target.
    if (target === undefined) return;
    const text = this.#writeJump({ word, label, target });
    const end = node.label?.end ?? node.start + word.length;
    if (text !== writePlainJump({ word, label })) this.#edits.push({ start: node.start, end, text });
  }

  #writeJump(jump: Jump): string {
    const { targets, enclosures } = this.#frame;
    const { word, target } = jump;
    const enclosure = enclosures.at(-1);
    if (enclosure !== undefined && targets.indexOf(target) < enclosure.depth) {
      return `return ${enclosure.jumps.push(jump)}`;
    }
    if (word === "break" || !copiesVariables(target.node)) return writePlainJump(jump);
    target.bodyLabel ??= `${this.#prefix}${(this.#bodies += 1)}`;
    return `break ${target.bodyLabel}`;
  }

  #visitReturn({ start, argument }: ReturnStatement): void {
    const enclosure = this.#frame.enclosures.at(-1);
    if (enclosure !== undefined) enclosure.returns = true;
    if (argument !== null && argument !== undefined) {
      if (enclosure !== undefined) this.#insert(argument.start, "{value:(");
      this.visit(argument);
      if (enclosure !== undefined) this.#insert(argument.end, ")}");
    } else if (enclosure !== undefined) {
      this.#edits.push({ start, end: start + "return".length, text: "return {value:undefined}" });
    }
  }

  #visitTry(node: TryStatement): void {
    const { block, handler, finalizer } = node;
    if (this.#isToBeEnclosed(node)) this.#enclose(block);
    else this.visit(block);
    if (handler) this.visit(handler);
    if (finalizer) this.visit(finalizer);
  }

  /** True if an error may leave the block, and the loop around it runs on while functions keep variables of the block. */
  #isToBeEnclosed({ block, handler, finalizer }: TryStatement): boolean {
    const { targets, enclosures } = this.#frame;
    const isInLoop = targets.slice(enclosures.at(-1)?.depth).some((target) => isLoop(target.node));
    const goesOn = handler || (finalizer && hasBelow(finalizer, isJump));
    if (!isInLoop || !goesOn) return false;
    const names = findDeclared(block);
    const isUse = (node: AnyNode): boolean => node.type === "Identifier" && names.has(node.name);
    return hasBelow(block, (node) => (isFunction(node) || node.type === "ClassBody") && hasBelow(node, isUse));
  }

  #enclose(block: BlockStatement): void {
    this.#refuseWhatIsNotEnclosed(block);
    const { targets, enclosures } = this.#frame;
    const enclosure: Enclosure = { depth: targets.length, jumps: [], returns: false, awaits: false };
    const start = this.#insert(block.start + 1, "");
    enclosures.push(enclosure);
    for (const child of block.body) this.visit(child);
    enclosures.pop();
    const result = `${this.#prefix}Result`;
    const ends = this.#writeEnds(enclosure, result);
    // A semicolon first: no text of the program becomes a directive.
    start.text = `${ends === "" ? "" : `const ${result}=`}${enclosure.awaits ? "await(async" : "("}()=>{;`;
    this.#insert(block.end - 1, `})();${ends}`);
  }

  /** Writes how the program goes on where the function of a block says so: a member for `return`, a number for a jump. */
  #writeEnds({ returns, jumps }: Enclosure, result: string): string {
    const outer = this.#frame.enclosures.at(-1);
    if (returns && outer !== undefined) outer.returns = true;
    const value = outer === undefined ? `${result}.value` : result;
    const first = returns ? `if(typeof ${result}==="object")return ${value};` : "";
    return first + jumps.map((jump, index) => `if(${result}===${index + 1})${this.#writeJump(jump)};`).join("");
  }

  #refuseWhatIsNotEnclosed(block: BlockStatement): void {
    walkBelow(block, (node) => {
      const what = this.#findUnenclosable(node, block);
      if (what === undefined) return !isFunction(node);
      throw new InvalidProgram(
        `A try block in a loop, with variables that functions use, cannot have ${what}: move it into a function`,
        this.#program.lineOf(node),
      );
    });
  }

  #findUnenclosable(node: AnyNode, block: BlockStatement): string | undefined {
    if (node.type === "YieldExpression") return "`yield`";
    if (node.type === "VariableDeclaration" && node.kind === "var") return "`var`";
    const name = node.type === "FunctionDeclaration" ? node.id?.name : undefined;
    if (name === undefined) return undefined;
    const isUsedOutside = countUses(this.#program.body, name) > countUses(block, name);
    return isUsedOutside ? `the function ${name}, which is used outside` : undefined;
  }

  #markAwait(): void {
    for (const enclosure of this.#frame.enclosures) enclosure.awaits = true;
  }
}

function writePlainJump({ word, label }: Pick<Jump, "word" | "label">): string {
  return label === undefined ? word : `${word} ${label}`;
}

/** Returns the loop of a `for await`, even behind labels. */
function findAwaitingLoop(node: AnyNode): ForOfStatement | undefined {
  if (node.type === "LabeledStatement") return findAwaitingLoop(node.body);
  return node.type === "ForOfStatement" && node.await ? node : undefined;
}

/** True for a loop with new variables for each round, which are copies of those before. */
function copiesVariables(node: AnyNode): boolean {
  return node.type === "ForStatement" && node.init?.type === "VariableDeclaration" && node.init.kind === "let";
}

/** Lists what a block declares, at any depth but in functions. */
function findDeclared(block: BlockStatement): ReadonlySet<string> {
  const names = new Set<string>();
  const addAll = (pattern: AnyNode): void => {
    if (pattern.type === "Identifier") names.add(pattern.name);
    for (const child of listChildren(pattern)) addAll(child);
  };
  walkBelow(block, (node) => {
    if (node.type === "VariableDeclarator") addAll(node.id);
    if (node.type === "CatchClause" && node.param) addAll(node.param);
    if ((node.type === "FunctionDeclaration" || node.type === "ClassDeclaration") && node.id) addAll(node.id);
    return !isFunction(node);
  });
  return names;
}

function countUses(node: AnyNode, name: string): number {
  let count = 0;
  walkBelow(node, (child) => {
    if (child.type === "Identifier" && child.name === name) count += 1;
  });
  return count;
}

function hasBelow(node: AnyNode, test: (node: AnyNode) => boolean): boolean {
  return listChildren(node).some((child) => test(child) || hasBelow(child, test));
}

function isJump({ type }: AnyNode): boolean {
  return type === "BreakStatement" || type === "ContinueStatement";
}

const FUNCTIONS: ReadonlySet<string> = new Set([
  "FunctionDeclaration",
  "FunctionExpression",
  "ArrowFunctionExpression",
  "StaticBlock",
]);

function isFunction(node: AnyNode): boolean {
  return FUNCTIONS.has(node.type);
}

type LoopNode = Extract<AnyNode, { readonly type: (typeof LOOPS)[number] }>;
const LOOPS = ["ForStatement", "ForInStatement", "ForOfStatement", "WhileStatement", "DoWhileStatement"] as const;

function isLoop(node: AnyNode): node is LoopNode {
  return LOOPS.some((type) => type === node.type);
}
