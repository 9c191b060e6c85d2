import type regjsparser from "regjsparser";
import { libraryOnDemand } from "../model/library.js";

const parser = libraryOnDemand<typeof regjsparser>("regjsparser");

/**
 * Decides whether a regular expression is exponentially ambiguous: whether some text can be matched in a number of ways that
 * doubles with its length, all of which a backtracking engine tries before it gives up. The expression becomes an automaton
 * whose positions are its characters (Glushkov's construction, with the number of ways to step from one to another), and it is
 * ambiguous exactly if two different paths lead from a position back to itself over the same text (Weber and Seidl, 1991).
 */
export function findAttack(pattern: string): Attack | undefined {
  if (attacks.has(pattern)) return attacks.get(pattern);
  const automaton = automatonOf(pattern);
  const attack = automaton === undefined ? undefined : attackOn(automaton);
  if (attacks.size >= MOST_REMEMBERED) attacks.clear();
  attacks.set(pattern, attack);
  return attack;
}

// Patterns recur, and proving one may take a while.
const attacks = new Map<string, Attack | undefined>();
const MOST_REMEMBERED = 10_000;

/** Texts `prefix + pump + pump + … + suffix` take twice as long with every further `pump`. */
export interface Attack {
  readonly prefix: string;
  readonly pump: string;
  readonly suffix: string;
}

type Node = ReturnType<typeof regjsparser.parse<typeof FEATURES>>;

const FEATURES = { lookbehind: true, namedGroups: true, unicodePropertyEscape: true } as const;

/** A repetition that is counted further than this is taken for an unbounded one: twice as slow a few dozen times is as bad. */
const LARGEST_COUNT = 8;
/** Smaller counts are written out; an expression that needs more positions than this is left undecided. */
const MOST_POSITIONS = 600;
const MOST_PAIRS = 100_000;

/** One character of the expression: which of the representative characters it takes. */
type Position = ReadonlySet<string>;

/** A number of ways, of which only none, one and several matter. */
type Ways = 0 | 1 | 2;

interface Fragment {
  readonly nullable: Ways;
  readonly first: ReadonlyMap<number, Ways>;
  readonly last: ReadonlyMap<number, Ways>;
}

interface Automaton {
  readonly alphabet: readonly string[];
  readonly positions: readonly Position[];
  /** From each position to the ones after it, with the number of ways. */
  readonly follow: readonly ReadonlyMap<number, Ways>[];
  readonly root: Fragment;
}

/** What stands for the end of the text: `$` takes it, nothing else does. */
const END = "end";

class Undecided extends Error {}

/** `undefined` for an expression that is no regular language (back references) or too large. */
function automatonOf(pattern: string): Automaton | undefined {
  const positions: Position[] = [];
  const follow: Map<number, Ways>[] = [];
  try {
    const tree = parser().parse(pattern, "u", FEATURES);
    const alphabet = representatives(tree);
    const root = fragmentOf(tree, alphabet, positions, follow);
    return { alphabet, positions, follow, root };
  } catch {
    // Either a back reference, or a size beyond the bound, or no regular expression at all: nothing is claimed of those.
    return undefined;
  }
}

const EMPTY: Fragment = { nullable: 1, first: new Map(), last: new Map() };
const NOTHING: Fragment = { nullable: 0, first: new Map(), last: new Map() };

function fragmentOf(node: Node, alphabet: readonly string[], positions: Position[], follow: Map<number, Ways>[]): Fragment {
  const recurse = (inner: Node): Fragment => fragmentOf(inner, alphabet, positions, follow);
  switch (node.type) {
    case "alternative":
      return sequence(node.body.map((part) => () => recurse(part)), follow);
    case "disjunction":
      return node.body.map(recurse).reduce(union, NOTHING);
    case "group":
      // A look-around takes no characters. What it demands is left out: more texts match, and more ways are counted, not fewer.
      if (node.behavior !== "normal" && node.behavior !== "ignore") return EMPTY;
      return sequence(node.body.map((part) => () => recurse(part)), follow);
    case "quantifier": {
      const [body] = node.body;
      if (body === undefined) return EMPTY;
      return repeated(() => recurse(body), node.min, node.max, follow);
    }
    case "anchor":
      return node.kind === "end" ? position(new Set([END]), positions, follow) : EMPTY;
    case "reference":
      throw new Undecided();
    default: {
      const form = new RegExp(`^(?:${node.raw})$`, "u");
      return position(new Set(alphabet.filter((character) => form.test(character))), positions, follow);
    }
  }
}

function position(taken: Position, positions: Position[], follow: Map<number, Ways>[]): Fragment {
  if (positions.length >= MOST_POSITIONS) throw new Undecided();
  const index = positions.push(taken) - 1;
  follow.push(new Map());
  return { nullable: 0, first: new Map([[index, 1]]), last: new Map([[index, 1]]) };
}

function sequence(parts: readonly (() => Fragment)[], follow: Map<number, Ways>[]): Fragment {
  return parts.reduce((left, part) => chained(left, part(), follow), EMPTY);
}

function chained(left: Fragment, right: Fragment, follow: Map<number, Ways>[]): Fragment {
  connect(left.last, right.first, follow);
  return {
    nullable: product(left.nullable, right.nullable),
    first: sum(left.first, right.first, left.nullable),
    last: sum(right.last, left.last, right.nullable),
  };
}

function union(left: Fragment, right: Fragment): Fragment {
  return {
    nullable: several(left.nullable + right.nullable),
    first: sum(left.first, right.first, 1),
    last: sum(left.last, right.last, 1),
  };
}

function repeated(body: () => Fragment, min: number, max: number | undefined, follow: Map<number, Ways>[]): Fragment {
  if (max === undefined || max > LARGEST_COUNT) {
    const looped = (): Fragment => {
      const inner = body();
      connect(inner.last, inner.first, follow);
      return inner;
    };
    // The last of the demanded repetitions is the one that loops.
    if (min > 0) return sequence([...Array.from({ length: Math.min(min, LARGEST_COUNT) - 1 }, () => body), looped], follow);
    return { ...looped(), nullable: 1 };
  }
  const demanded = sequence(Array.from({ length: min }, () => body), follow);
  let optional = EMPTY;
  for (let count = min; count < max; count += 1) optional = { ...chained(body(), optional, follow), nullable: 1 };
  return chained(demanded, optional, follow);
}

function connect(from: ReadonlyMap<number, Ways>, to: ReadonlyMap<number, Ways>, follow: Map<number, Ways>[]): void {
  for (const [left, waysOut] of from) {
    const edges = follow[left];
    if (edges === undefined) continue;
    for (const [right, waysIn] of to) edges.set(right, several((edges.get(right) ?? 0) + waysOut * waysIn));
  }
}

function sum(own: ReadonlyMap<number, Ways>, other: ReadonlyMap<number, Ways>, times: Ways): ReadonlyMap<number, Ways> {
  if (times === 0) return own;
  const added = new Map(own);
  for (const [index, ways] of other) added.set(index, several((added.get(index) ?? 0) + ways * times));
  return added;
}

function product(left: Ways, right: Ways): Ways {
  return several(left * right);
}

function several(count: number): Ways {
  return count >= 2 ? 2 : count === 1 ? 1 : 0;
}

/** Characters that stand for all others: what the expression names, what lies just beside it, and a few of every kind. */
function representatives(tree: Node): readonly string[] {
  const codes = new Set([..."aAzZ0_9 -.!é字😀\n\0"].map((character) => character.codePointAt(0) ?? 0));
  const visit = (node: object): void => {
    if ("codePoint" in node && typeof node.codePoint === "number") {
      for (const code of [node.codePoint - 1, node.codePoint, node.codePoint + 1]) codes.add(code);
    }
    for (const key of ["body", "min", "max"]) {
      const inner: unknown = Reflect.get(node, key);
      for (const each of [inner].flat()) if (typeof each === "object" && each !== null) visit(each);
    }
  };
  visit(tree);
  const isCharacter = (code: number): boolean => code >= 0 && code <= 0x10_ffff && (code < 0xd800 || code > 0xdfff);
  return [...codes].filter(isCharacter).map((code) => String.fromCodePoint(code));
}

/** A text on which the expression's ways double again and again, and then none of them matches. */
function attackOn({ alphabet, positions, follow, root }: Automaton): Attack | undefined {
  const loops = doubledLoops(positions, follow);
  for (const { at, text: pump } of loops) {
    const prefix = textTo(at, positions, follow, root);
    if (prefix === undefined) continue;
    const pumped = prefix + pump.repeat(positions.length + 1);
    // Where the expression may end without `$`, a match is found at once and nothing is tried again.
    const reached = positionsAfter(pumped, positions, follow, root);
    if ([...reached].some((index) => root.last.has(index))) continue;
    const suffix = alphabet.find((character) => ![...reached].some((index) => stepsOn(index, character, positions, follow)));
    if (suffix !== undefined) return { prefix, pump, suffix };
  }
  return undefined;
}

function stepsOn(index: number, character: string, positions: readonly Position[], follow: Automaton["follow"]): boolean {
  return [...(follow[index]?.keys() ?? [])].some((next) => positions[next]?.has(character) === true);
}

/** Positions that a text leads to from the beginning. */
function positionsAfter(text: string, positions: readonly Position[], follow: Automaton["follow"], root: Fragment): ReadonlySet<number> {
  let reached: ReadonlySet<number> | undefined;
  for (const character of text) {
    const sources: Iterable<number> = reached ?? [];
    const next = new Set<number>();
    for (const index of reached === undefined ? root.first.keys() : [...sources].flatMap((each) => [...(follow[each]?.keys() ?? [])])) {
      if (positions[index]?.has(character) === true) next.add(index);
    }
    reached = next;
  }
  return reached ?? new Set();
}

/** The shortest text that ends at a position. */
function textTo(target: number, positions: readonly Position[], follow: Automaton["follow"], root: Fragment): string | undefined {
  const texts = new Map<number, string>();
  const waiting: number[] = [];
  const reach = (index: number, before: string): void => {
    const character = characterOf(positions[index]);
    if (texts.has(index) || character === undefined) return;
    texts.set(index, before + character);
    waiting.push(index);
  };
  for (const index of root.first.keys()) reach(index, "");
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    if (next === target) return texts.get(next);
    for (const index of follow[next]?.keys() ?? []) reach(index, texts.get(next) ?? "");
  }
  return texts.get(target);
}

function characterOf(taken: Position | undefined): string | undefined {
  for (const character of taken ?? []) if (character !== END) return character;
  return undefined;
}

function commonCharacter(left: Position | undefined, right: Position | undefined): string | undefined {
  for (const character of left ?? []) if (character !== END && right?.has(character) === true) return character;
  return undefined;
}

/** Positions with a text that leads back to them in two ways. */
function* doubledLoops(positions: readonly Position[], follow: Automaton["follow"]): Generator<{ readonly at: number; readonly text: string }> {
  const inside = loopsOf(follow);
  for (const start of positions.keys()) {
    const loop = inside[start];
    const text = loop === undefined ? undefined : doubledLoopAt(start, loop, positions, follow);
    if (text !== undefined) yield { at: start, text };
  }
}

/** For each position the positions that it can reach and that can reach it; `undefined` for one on no loop. */
function loopsOf(follow: Automaton["follow"]): readonly (ReadonlySet<number> | undefined)[] {
  const reachable = follow.map((_, start) => {
    const seen = new Set<number>();
    const waiting = [start];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      for (const index of follow[next]?.keys() ?? []) {
        if (!seen.has(index)) waiting.push(index);
        seen.add(index);
      }
    }
    return seen;
  });
  return reachable.map((from, start) =>
    from.has(start) ? new Set([...from].filter((index) => reachable[index]?.has(start) === true)) : undefined,
  );
}

interface Pair {
  readonly left: number;
  readonly right: number;
  /** Whether the two paths have differed: in a position, or in the way of a step. */
  readonly differ: boolean;
}

/** A text over which two different paths lead from `start` back to it. */
function doubledLoopAt(
  start: number,
  loop: ReadonlySet<number>,
  positions: readonly Position[],
  follow: Automaton["follow"],
): string | undefined {
  const seen = new Map<string, string>();
  const waiting: (Pair & { readonly text: string })[] = [{ left: start, right: start, differ: false, text: "" }];
  for (let head = 0; head < waiting.length && waiting.length < MOST_PAIRS; head += 1) {
    const pair = waiting[head];
    if (pair === undefined) break;
    for (const [left, waysLeft] of follow[pair.left] ?? []) {
      if (!loop.has(left)) continue;
      for (const [right, waysRight] of follow[pair.right] ?? []) {
        if (!loop.has(right)) continue;
        const character = commonCharacter(positions[left], positions[right]);
        if (character === undefined) continue;
        // Two ways to take one and the same step are two paths as well.
        const differ = pair.differ || left !== right || (pair.left === pair.right && waysLeft === 2 && waysRight === 2);
        const text = pair.text + character;
        if (differ && left === start && right === start) return text;
        const key = `${left} ${right} ${differ}`;
        if (seen.has(key)) continue;
        seen.set(key, text);
        waiting.push({ left, right, differ, text });
      }
    }
  }
  return undefined;
}
