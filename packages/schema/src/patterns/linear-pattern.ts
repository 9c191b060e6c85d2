import { compilePattern, mirror, parsePattern, type PatternInstruction, type PatternNode } from "./parse-pattern.js";

/** Tests strings for a match anywhere in them, in time linear in their length. */
export interface LinearPattern {
  /** Throws {@link PatternBoundExceeded} for a text too long for this pattern. */
  test(text: string): boolean;
  /** The instructions that a test runs for each character. Default: few. */
  readonly instructions?: number;
}

/** Compiles a pattern of JSON Schema; `undefined` if not linear. Throws a `SyntaxError` for a malformed one. */
export type PatternEngine = (pattern: string) => LinearPattern | undefined;

/** Thrown where text times pattern exceed what a test may cost. */
export class PatternBoundExceeded extends Error {}

/** Limits the steps of one test, which are instructions times characters, to about half a second of work. */
const MAX_STEPS = 50_000_000;

/** Limits the instructions that counted repetitions may multiply a pattern to. */
const MAX_INSTRUCTIONS = 20_000;

/** Limits the ways in which the native engine may retry a match. */
const MAX_NATIVE_RETRIES = 16;

type Instruction =
  | Exclude<PatternInstruction, { readonly kind: "character" | "look" }>
  | { readonly kind: "character"; readonly accepts: (codePoint: number) => boolean }
  /** A program that looks behind is mirrored: it runs over the text from its end. */
  | { readonly kind: "look"; readonly isBehind: boolean; readonly isNegative: boolean; readonly program: Program };

interface Program {
  readonly instructions: readonly Instruction[];
  readonly leadingTo: readonly (readonly number[])[];
}

/** Compiles any pattern that can be matched in linear time. See {@link PatternEngine}. */
export function linearPattern(pattern: string): LinearPattern | undefined {
  const native = new RegExp(pattern, "u");
  const tree = parsePattern(pattern);
  if (tree === undefined) return undefined;
  if (isCheapToBacktrack(tree)) return native;
  const program = programOf(tree);
  return (
    program && {
      instructions: program.instructions.length,
      test: (text) => startsOf(program, codePointsOf(text)).includes(1),
    }
  );
}

function programOf(tree: PatternNode): Program | undefined {
  const instructions: Instruction[] = [];
  // A counted repetition has the same character many times.
  const characters = new Map<string, (codePoint: number) => boolean>();
  for (const instruction of compilePattern(tree, MAX_INSTRUCTIONS) ?? []) {
    if (instruction.kind === "character") {
      const accepts = characters.get(instruction.source) ?? acceptsOf(instruction.source);
      characters.set(instruction.source, accepts);
      instructions.push({ kind: "character", accepts });
    } else if (instruction.kind === "look") {
      const { isBehind, isNegative, part } = instruction;
      const program = programOf(isBehind ? mirror(part) : part);
      if (program === undefined) return undefined;
      instructions.push({ kind: "look", isBehind, isNegative, program });
    } else instructions.push(instruction);
  }
  if (instructions.length === 0) return undefined;
  const leadingTo: number[][] = instructions.map(() => []);
  for (const [index, instruction] of instructions.entries()) {
    if (instruction.kind === "character") continue;
    const targets = instruction.kind === "jump" ? instruction.targets : [1];
    for (const target of targets) leadingTo[index + target]?.push(index);
  }
  return { instructions, leadingTo };
}

/** True if the native engine visits each position only a few times: one unbounded repetition, anchored. */
function isCheapToBacktrack(tree: PatternNode): boolean {
  const parts = tree.kind === "sequence" ? tree.parts : [tree];
  let retries = 1;
  let varying = parts[0]?.kind === "start" ? 1 : 0;
  const isCheap = (node: PatternNode): boolean => {
    switch (node.kind) {
      case "sequence":
        return node.parts.every(isCheap);
      case "choice":
        retries *= node.parts.length;
        return node.parts.every(isCheap);
      case "repeat": {
        if (node.least === node.most) return node.part.kind === "character";
        if (node.part.kind !== "character") return false;
        const ways = node.most - node.least + 1;
        if (retries * ways <= MAX_NATIVE_RETRIES) retries *= ways;
        else varying--;
        return varying >= 0;
      }
      case "look":
        return false;
      default:
        return true;
    }
  };
  return parts.every(isCheap) && retries <= MAX_NATIVE_RETRIES;
}

function acceptsOf(source: string): (codePoint: number) => boolean {
  const expression = new RegExp(`^(?:${source})$`, "u");
  const test = (codePoint: number): boolean => expression.test(String.fromCodePoint(codePoint));
  // Tested when they first occur: most characters of most texts are the same few.
  const ascii: (boolean | undefined)[] = [];
  return (codePoint) => (codePoint < 128 ? (ascii[codePoint] ??= test(codePoint)) : test(codePoint));
}

function codePointsOf(text: string): readonly number[] {
  return Array.from(text, (character) => character.codePointAt(0) ?? 0);
}

function isWord(codePoint: number | undefined): boolean {
  return codePoint !== undefined && codePoint < 128 && /\w/.test(String.fromCodePoint(codePoint));
}

/** Finds the positions of a text from which a program matches, from the end to the beginning. */
function startsOf(program: Program, text: readonly number[]): Uint8Array {
  const { instructions, leadingTo } = program;
  if (instructions.length * (text.length + 1) > MAX_STEPS) throw new PatternBoundExceeded("too long for its pattern");
  const starts = new Uint8Array(text.length + 1);
  const looks = new Map<Program, Uint8Array>();
  const holds = (instruction: Instruction, at: number): boolean => {
    switch (instruction.kind) {
      case "start":
        return at === 0;
      case "end":
        return at === text.length;
      case "boundary":
        return isWord(text[at - 1]) !== isWord(text[at]);
      case "notBoundary":
        return isWord(text[at - 1]) === isWord(text[at]);
      case "look": {
        const { isBehind, isNegative, program: inner } = instruction;
        const found = looks.get(inner) ?? startsOf(inner, isBehind ? text.toReversed() : text);
        looks.set(inner, found);
        return (found[isBehind ? text.length - at : at] === 1) !== isNegative;
      }
      default:
        return instruction.kind === "jump";
    }
  };
  let next = new Uint8Array(instructions.length);
  let current = new Uint8Array(instructions.length);
  const reached: number[] = [];
  const reach = (index: number): void => {
    if (current[index] === 1) return;
    current[index] = 1;
    reached.push(index);
  };
  for (let at = text.length; at >= 0; at--) {
    current.fill(0);
    const codePoint = text[at];
    for (const [index, instruction] of instructions.entries()) {
      if (instruction.kind === "match") reach(index);
      else if (instruction.kind === "character" && next[index + 1] === 1 && codePoint !== undefined) {
        if (instruction.accepts(codePoint)) reach(index);
      }
    }
    for (let index = reached.pop(); index !== undefined; index = reached.pop()) {
      for (const before of leadingTo[index] ?? []) {
        const instruction = instructions[before];
        if (instruction !== undefined && holds(instruction, at)) reach(before);
      }
    }
    starts[at] = current[0] ?? 0;
    [next, current] = [current, next];
  }
  return starts;
}

const LONGEST_TESTED_NAME = 256;

/** Limits the steps of all tests of names that one pass over a schema makes, to about a second of work. */
const MOST_NAME_STEPS = 20_000_000;

/** The cost of one test beside its steps. */
const TEST_COST = 16;

/** Tests property names by patterns. Each pattern is compiled once, and the work of all tests is limited. */
export class NameTests {
  readonly #patterns = new Map<string, LinearPattern | undefined>();
  #steps = 0;

  /** True past the limit of the work, where nothing is known any more. */
  get isSpent(): boolean {
    return this.#steps > MOST_NAME_STEPS;
  }

  /** True if a pattern matches a name; `undefined` where testing it might take too long, and past the limit. */
  matches(pattern: string, name: string): boolean | undefined {
    if (name.length > LONGEST_TESTED_NAME || this.isSpent) return undefined;
    if (!this.#patterns.has(pattern)) this.#patterns.set(pattern, linearPattern(pattern));
    const expression = this.#patterns.get(pattern);
    this.#steps += TEST_COST + (expression?.instructions ?? 1) * (name.length + 1);
    return expression?.test(name);
  }
}
