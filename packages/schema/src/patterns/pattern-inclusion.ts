import { findOrAdd } from "@hasp/base/json";
import { listCharacters } from "./characters.js";
import { linearPattern } from "./linear-pattern.js";
import { compilePattern, parsePattern, type PatternInstruction, type PatternNode } from "./parse-pattern.js";

/** Limits the instructions of one pattern, and those that comparisons with one budget try. */
const MAX_INSTRUCTIONS = 1000;
const MAX_STEPS = 1_000_000;

/** The work that comparisons may do together. */
export interface PatternBudget {
  steps: number;
}

export const createPatternBudget = (): PatternBudget => ({ steps: MAX_STEPS });

/** A text that only the inner pattern matches, or the proof that there is none. */
type PatternDifference = { readonly witness: string } | "included";

/**
 * Decides if every text that `inner` matches is matched by `outer`, and finds a shortest other one. `undefined` where that
 * is not decided: for patterns with lookaround, word boundaries or Unicode properties, and once the budget is spent.
 */
export function comparePatterns(
  inner: string,
  outer: string,
  budget: { steps: number } = createPatternBudget(),
): PatternDifference | undefined {
  const [left, right] = [automatonOf(inner), automatonOf(outer)];
  if (left === undefined || right === undefined) return undefined;
  const samples = sampleCharacters(new Set([...left.sources, ...right.sources]));
  if (samples === undefined) return undefined;
  const start: Pair = { left: left.enter([], true), right: right.enter([], true), text: "" };
  const seen = new Set([keyOf(start)]);
  // Breadth first, so that the first witness is a shortest one.
  const waiting = [start];
  for (const pair of waiting) {
    const isStart = pair.text === "";
    if (left.accepts(pair.left, isStart) && !right.accepts(pair.right, isStart)) return { witness: pair.text };
    if (pair.right === "matched") continue;
    budget.steps -= samples.length * (1 + pair.left.length + pair.right.length);
    if (budget.steps < 0) return undefined;
    for (const sample of samples) {
      const next: Pair = {
        left: left.step(pair.left, sample),
        right: right.step(pair.right, sample),
        text: pair.text + sample.character,
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

interface Automaton {
  readonly sources: ReadonlySet<string>;
  /** Follows the instructions that read nothing, from these and from the first. */
  enter(from: readonly number[], isStart: boolean): State;
  step(state: State, sample: Sample): State;
  accepts(state: State, isStart: boolean): boolean;
}

const DECIDED: ReadonlySet<string> = new Set(["character", "start", "end", "jump", "match"]);

function automatonOf(pattern: string): Automaton | undefined {
  const tree = parsePattern(pattern);
  const program = tree && compilePattern(tree, MAX_INSTRUCTIONS);
  if (program?.every(({ kind }) => DECIDED.has(kind)) !== true) return undefined;
  const follow = (from: readonly number[], isStart: boolean, isEnd: boolean): State => {
    const reached = new Set<number>();
    const waiting = [...from];
    for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
      const instruction = program[index];
      if (instruction === undefined || reached.has(index)) continue;
      reached.add(index);
      if (instruction.kind === "match") return "matched";
      if (instruction.kind === "jump") waiting.push(...instruction.targets.map((each) => index + each));
      if ((instruction.kind === "start" && isStart) || (instruction.kind === "end" && isEnd)) waiting.push(index + 1);
    }
    const kept = [...reached].filter((index) => ["character", "end"].includes(program[index]?.kind ?? ""));
    return kept.toSorted((a, b) => a - b);
  };
  const automaton: Automaton = {
    sources: listSources(program),
    // A match may begin anywhere.
    enter: (from, isStart) => follow([0, ...from], isStart, false),
    step(state, { readers }) {
      if (state === "matched") return state;
      const next = state.flatMap((index) => {
        const instruction = program[index];
        return instruction?.kind === "character" && readers.has(instruction.source) ? [index + 1] : [];
      });
      return automaton.enter(next, false);
    },
    accepts: (state, isStart) => state === "matched" || follow(state, isStart, true) === "matched",
  };
  return automaton;
}

const listSources = (program: readonly PatternInstruction[]): ReadonlySet<string> =>
  new Set(program.flatMap((each) => (each.kind === "character" ? each.source : [])));

/** The ends of the ranges behind `\d`, `\w`, `\s` and `.`. */
const CLASS_ENDS: { readonly [letter: string]: readonly number[] } = {
  d: [0x30, 0x39],
  w: [0x30, 0x39, 0x41, 0x5a, 0x5f, 0x61, 0x7a],
  s: [9, 0xd, 0x20, 0xa0, 0x1680, 0x2000, 0x200a, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff],
};
const LINE_ENDS: readonly number[] = [0xa, 0xd, 0x2028, 0x2029];
const CONTROLS: { readonly [letter: string]: number } = { n: 0xa, r: 0xd, t: 9, v: 0xb, f: 0xc, 0: 0 };
const LAST = 0x10_ffff;

/** A character that stands for all that are in the same characters and classes of some patterns. */
interface Sample {
  readonly character: string;
  readonly readers: ReadonlySet<string>;
}

/**
 * Chooses a character of each kind that these characters and classes distinguish, among the ends of all ranges and their
 * neighbours. `undefined` for a class whose ranges are not known here.
 */
function sampleCharacters(sources: ReadonlySet<string>): readonly Sample[] | undefined {
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
  const expressions = [...sources].map((source) => ({ source, expression: new RegExp(`^(?:${source})$`, "u") }));
  const samples = new Map<string, Sample>();
  for (const codePoint of [...unique.filter(isPlain), ...unique.filter((each) => !isPlain(each))]) {
    const character = String.fromCodePoint(codePoint);
    const readers = expressions.flatMap(({ source, expression }) => (expression.test(character) ? source : []));
    findOrAdd(samples, JSON.stringify(readers), () => ({ character, readers: new Set(readers) }));
  }
  return [...samples.values()];
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

/** Longer texts are not looked for. */
const LONGEST_TEXT = 20_000;

/** Finds a text of at least so many characters that a pattern matches; `undefined` if none was found. */
export function findMatch(
  pattern: string,
  least: number = 0,
  budget: PatternBudget = createPatternBudget(),
): string | undefined {
  if (least > LONGEST_TEXT) return undefined;
  // A shortest text that matches, and is not too short.
  const found = comparePatterns(pattern, least === 0 ? NOTHING : `^[^]{0,${least - 1}}$`, budget);
  if (typeof found === "object") return found.witness;
  if (found === "included") return undefined;
  const tree = parsePattern(pattern);
  const tester = tree && linearPattern(pattern);
  if (tree === undefined || tester === undefined) return undefined;
  for (const more of [0, 1, 2, 3, least - 2, least - 1, least].filter((each) => each >= 0)) {
    for (let turn = 0; turn < TURNS; turn += 1) {
      const text = writeText(tree, { turn, more });
      if ([...text].length >= least && text.length <= LONGEST_TEXT && tester.test(text)) return text;
    }
  }
  return undefined;
}

/** A pattern that matches no text. */
const NOTHING = "[]";

const TURNS = 12;

interface Choices {
  /** Selects characters and branches. */
  readonly turn: number;
  /** Counts the repetitions beyond the least. */
  readonly more: number;
}

/** Writes a text that a pattern matches unless it looks around. */
function writeText(node: PatternNode, choices: Choices): string {
  switch (node.kind) {
    case "character": {
      const known = listCharacters(node.source);
      return known[choices.turn % known.length] ?? "";
    }
    case "sequence":
      return node.parts.map((part) => writeText(part, choices)).join("");
    case "choice": {
      const part = node.parts[choices.turn % node.parts.length];
      return part === undefined ? "" : writeText(part, choices);
    }
    case "repeat": {
      const times = Math.min(node.most, node.least + choices.more, LONGEST_TEXT);
      const part = times === 0 ? "" : writeText(node.part, { ...choices, more: Math.min(choices.more, 1) });
      return part.repeat(Math.min(times, Math.ceil(LONGEST_TEXT / Math.max(part.length, 1))));
    }
    default:
      return "";
  }
}

/** Limits the alternatives of the native engine at one position of a text. */
const MAX_CHOICES = 16;

/**
 * True if the native engine, which backtracks, is certain to match a pattern in linear time. Besides those that
 * {@link linearPattern} leaves to it, these are the anchored patterns that never have two ways to read a character: any
 * other alternative fails at once.
 */
export function isLinearNatively(pattern: string): boolean {
  if (linearPattern(pattern) instanceof RegExp) return true;
  const tree = parsePattern(pattern);
  const program = tree && compilePattern(tree, MAX_INSTRUCTIONS);
  if (program?.[0]?.kind !== "start" || !program.every(({ kind }) => DECIDED.has(kind))) return false;
  const samples = sampleCharacters(listSources(program));
  if (samples === undefined) return false;
  return program.every((instruction, index) => {
    if (instruction.kind !== "character" && index > 0) return true;
    const ways = listWays(program, index + 1);
    const read = ways?.flatMap((way) => {
      if (way.kind !== "character") return [];
      return samples.filter(({ readers }) => readers.has(way.source));
    });
    return read !== undefined && new Set(read).size === read.length;
  });
}

/** Lists the instructions that read, end or match next; `undefined` if one is reached in two ways, or they are many. */
function listWays(program: readonly PatternInstruction[], start: number): readonly PatternInstruction[] | undefined {
  const reached = new Set<number>();
  const ways: PatternInstruction[] = [];
  const waiting = [start];
  for (const index of waiting) {
    const instruction = program[index];
    if (instruction === undefined || reached.has(index) || reached.size > MAX_CHOICES) return undefined;
    reached.add(index);
    if (instruction.kind === "jump") waiting.push(...instruction.targets.map((each) => index + each));
    else ways.push(instruction);
    if (instruction.kind === "end") waiting.push(index + 1);
  }
  return ways;
}
