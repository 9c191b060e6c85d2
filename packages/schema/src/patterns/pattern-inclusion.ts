import { parsePattern, type PatternNode } from "./parse-pattern.js";

/** Limits the instructions of one pattern, and those that a comparison tries, to about half a second of work. */
const MAX_INSTRUCTIONS = 1000;
const MAX_STEPS = 3_000_000;

/** A text that only the inner pattern matches, or the proof that there is none. */
export type PatternDifference = { readonly witness: string } | "included";

/**
 * Decides if every text that `inner` matches is matched by `outer`, and finds a shortest other one. `undefined` where that
 * is not decided: for patterns with lookaround, word boundaries or Unicode properties, and for large ones.
 */
export function comparePatterns(inner: string, outer: string): PatternDifference | undefined {
  const [left, right] = [automatonOf(inner), automatonOf(outer)];
  if (left === undefined || right === undefined) return undefined;
  const samples = sampleCodePoints([...left.sources, ...right.sources]);
  if (samples === undefined) return undefined;
  const start: Pair = { left: left.enter([], true), right: right.enter([], true), text: "" };
  const seen = new Set([keyOf(start)]);
  // Breadth first, so that the first witness is a shortest one.
  const waiting = [start];
  let steps = 0;
  for (const pair of waiting) {
    const isStart = pair.text === "";
    if (left.accepts(pair.left, isStart) && !right.accepts(pair.right, isStart)) return { witness: pair.text };
    if (pair.right === "matched") continue;
    steps += samples.length * (1 + pair.left.length + pair.right.length);
    if (steps > MAX_STEPS) return undefined;
    for (const codePoint of samples) {
      const next: Pair = {
        left: left.step(pair.left, codePoint),
        right: right.step(pair.right, codePoint),
        text: pair.text + String.fromCodePoint(codePoint),
      };
      const key = keyOf(next);
      if (seen.has(key)) continue;
      seen.add(key);
      waiting.push(next);
    }
  }
  return "included";
}

/** Instructions that may come next; or a match, after which every text matches. */
type State = readonly number[] | "matched";

interface Pair {
  readonly left: State;
  readonly right: State;
  readonly text: string;
}

function keyOf({ left, right, text }: Pair): string {
  return `${text === "" ? "start" : ""} ${String(left)} ${String(right)}`;
}

type Instruction =
  | { readonly kind: "character"; readonly expression: RegExp }
  | { readonly kind: "start" | "end" | "match" }
  | { readonly kind: "jump"; readonly targets: number[] };

interface Automaton {
  readonly sources: readonly string[];
  /** Follows the instructions that read nothing, from these and from the first. */
  enter(from: readonly number[], isStart: boolean): State;
  step(state: State, codePoint: number): State;
  /** True if a text that ends here matches. */
  accepts(state: State, isStart: boolean): boolean;
}

function automatonOf(pattern: string): Automaton | undefined {
  const tree = parsePattern(pattern);
  const program: Instruction[] = [];
  const sources = new Set<string>();
  if (tree === undefined || !emit(tree, program, sources)) return undefined;
  program.push({ kind: "match" });
  const follow = (from: readonly number[], isStart: boolean, isEnd: boolean): State => {
    const reached = new Set<number>();
    const waiting = [...from];
    for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
      const instruction = program[index];
      if (instruction === undefined || reached.has(index)) continue;
      reached.add(index);
      if (instruction.kind === "match") return "matched";
      if (instruction.kind === "jump") waiting.push(...instruction.targets);
      if ((instruction.kind === "start" && isStart) || (instruction.kind === "end" && isEnd)) waiting.push(index + 1);
    }
    const kept = [...reached].filter((index) => ["character", "end"].includes(program[index]?.kind ?? ""));
    return kept.toSorted((a, b) => a - b);
  };
  const automaton: Automaton = {
    sources: [...sources],
    // A match may begin anywhere.
    enter: (from, isStart) => follow([0, ...from], isStart, false),
    step(state, codePoint) {
      if (state === "matched") return state;
      const character = String.fromCodePoint(codePoint);
      const next = state.flatMap((index) => {
        const instruction = program[index];
        return instruction?.kind === "character" && instruction.expression.test(character) ? [index + 1] : [];
      });
      return automaton.enter(next, false);
    },
    accepts: (state, isStart) => state === "matched" || follow(state, isStart, true) === "matched",
  };
  return automaton;
}

function emit(node: PatternNode, program: Instruction[], sources: Set<string>): boolean {
  if (program.length > MAX_INSTRUCTIONS) return false;
  switch (node.kind) {
    case "character":
      sources.add(node.source);
      program.push({ kind: "character", expression: new RegExp(`^(?:${node.source})$`, "u") });
      return true;
    case "start":
    case "end":
      program.push({ kind: node.kind });
      return true;
    case "sequence":
      return node.parts.every((part) => emit(part, program, sources));
    case "choice": {
      const fork: number[] = [];
      const ends: number[][] = [];
      program.push({ kind: "jump", targets: fork });
      for (const part of node.parts) {
        fork.push(program.length);
        if (!emit(part, program, sources)) return false;
        const end: number[] = [];
        ends.push(end);
        program.push({ kind: "jump", targets: end });
      }
      for (const end of ends) end.push(program.length);
      return true;
    }
    case "repeat": {
      for (let count = 0; count < node.least; count += 1) if (!emit(node.part, program, sources)) return false;
      const skips: number[][] = [];
      const optional = node.most === Infinity ? 1 : node.most - node.least;
      for (let count = 0; count < optional; count += 1) {
        const targets = [program.length + 1];
        const fork = program.length;
        skips.push(targets);
        program.push({ kind: "jump", targets });
        if (!emit(node.part, program, sources)) return false;
        if (node.most === Infinity) program.push({ kind: "jump", targets: [fork] });
      }
      for (const targets of skips) targets.push(program.length);
      return true;
    }
    default:
      return false;
  }
}

/** The ends of the ranges behind `\d`, `\w`, `\s` and `.`. */
const CLASS_ENDS: { readonly [letter: string]: readonly number[] } = {
  d: [0x30, 0x39],
  w: [0x30, 0x39, 0x41, 0x5a, 0x5f, 0x61, 0x7a],
  s: [9, 0xd, 0x20, 0xa0, 0x1680, 0x2000, 0x200a, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff],
};
const LINE_ENDS: readonly number[] = [0xa, 0xd, 0x2028, 0x2029];
const CONTROLS: { readonly [letter: string]: number } = { n: 0xa, r: 0xd, t: 9, v: 0xb, f: 0xc, 0: 0 };
const LAST = 0x10_ffff;

/**
 * Chooses code points such that every other one is in the same characters and classes as one of these: the ends of all
 * ranges, and their neighbours. `undefined` for a class whose ranges are not known here.
 */
function sampleCodePoints(sources: readonly string[]): readonly number[] | undefined {
  const ends = [0, LAST, 0x61];
  for (const source of sources) {
    for (const [token] of source.matchAll(TOKEN)) {
      const found = endsOf(token);
      if (found === undefined) return undefined;
      ends.push(...found);
    }
  }
  const near = ends.flatMap((end) => [end, end - 1, end + 1]).filter((each) => each >= 0 && each <= LAST);
  // Readable witnesses first.
  const isPlain = (each: number): boolean => each > 0x20 && each < 0x7f;
  const unique = [...new Set(near)].toSorted((a, b) => a - b);
  return [...unique.filter(isPlain), ...unique.filter((each) => !isPlain(each))];
}

const TOKEN =
  /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u\{[\da-fA-F]+\}|\\u[\da-fA-F]{4}|\\x[\da-fA-F]{2}|\\c[A-Za-z]|\\.|./gsu;

function endsOf(token: string): readonly number[] | undefined {
  if (token === ".") return [0x2e, ...LINE_ENDS];
  if (!token.startsWith("\\")) return [token.codePointAt(0) ?? 0];
  const letter = token.charAt(1);
  if (letter === "p" || letter === "P") return undefined;
  const known = CLASS_ENDS[letter.toLowerCase()];
  if (known !== undefined && token.length === 2) return known;
  if (letter === "u" || letter === "x") {
    const units = [...token.matchAll(/[\da-fA-F]+/gu)].map(([digits]) => Number.parseInt(digits, 16));
    const [high = 0, low] = units;
    return [low === undefined ? high : (high - 0xd8_00) * 0x4_00 + (low - 0xdc_00) + 0x1_00_00];
  }
  if (letter === "c" && token.length === 3) return [(token.codePointAt(2) ?? 0) % 32];
  return [CONTROLS[letter] ?? letter.codePointAt(0) ?? 0, 8];
}
