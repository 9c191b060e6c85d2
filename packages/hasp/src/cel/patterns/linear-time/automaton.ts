import { representatives, takenBy, type CharacterSet } from "./characters.js";
import { parsePattern, type PatternNode } from "./pattern-tree.js";

/** An expression that needs more positions than this is left undecided. */
const MOST_POSITIONS = 600;
/** Numbers of ways are not counted further. */
const MANY = 1000;

/** A part of the automaton: in how many ways it takes the empty text, and where it begins and ends. */
export interface Fragment {
  readonly nullable: number;
  readonly first: ReadonlyMap<number, number>;
  readonly last: ReadonlyMap<number, number>;
}

/** An expression as the positions of its characters and the steps between them, each with its number of ways. */
export interface Automaton {
  readonly alphabet: readonly string[];
  readonly positions: readonly CharacterSet[];
  readonly follow: readonly ReadonlyMap<number, number>[];
  readonly root: Fragment;
  /** Every match begins at the start of the text. */
  readonly isAnchored: boolean;
  /** Positions at which a match is complete, whatever follows. */
  readonly accepting: ReadonlySet<number>;
}

interface Builder {
  readonly alphabet: readonly string[];
  /** Repetitions counted up to this are written out; others are taken for unbounded ones. */
  readonly largestCount: number;
  readonly positions: CharacterSet[];
  readonly follow: Map<number, number>[];
}

class Undecided extends Error {}

/** Assertions that may fail although all characters match, so that a search continues. */
const CONDITIONAL = /\\[bB]|\(\?<?[=!]|\^/u;

/**
 * Builds the position automaton of an expression (Glushkov's construction); `undefined` for one that is invalid, too
 * large, or has a back reference, a repetition in a lookbehind, or a counted repetition of what may be empty.
 */
export function automatonOf(pattern: string, largestCount: number): Automaton | undefined {
  try {
    const tree = parsePattern(pattern);
    const alphabet = representatives(tree);
    const positions: CharacterSet[] = [];
    const follow: Map<number, number>[] = [];
    const root = fragmentOf(tree, { alphabet, largestCount, positions, follow });
    const accepting = new Set(CONDITIONAL.test(pattern) && !isAnchored(tree) ? [] : root.last.keys());
    return { alphabet, positions, follow, root, isAnchored: isAnchored(tree), accepting };
  } catch {
    return undefined;
  }
}

function isAnchored(node: PatternNode): boolean {
  switch (node.type) {
    case "anchor":
      return node.kind === "start";
    case "alternative":
      return node.body[0] !== undefined && isAnchored(node.body[0]);
    case "group":
      return (
        (node.behavior === "normal" || node.behavior === "ignore") &&
        node.body[0] !== undefined &&
        isAnchored(node.body[0])
      );
    case "disjunction":
      return node.body.every(isAnchored);
    default:
      return false;
  }
}

const EMPTY: Fragment = { nullable: 1, first: new Map(), last: new Map() };
const NOTHING: Fragment = { nullable: 0, first: new Map(), last: new Map() };

function fragmentOf(node: PatternNode, builder: Builder): Fragment {
  switch (node.type) {
    case "alternative":
      return sequence(node.body, builder);
    case "disjunction":
      return node.body.map((part) => fragmentOf(part, builder)).reduce(union, NOTHING);
    case "group":
      switch (node.behavior) {
        case "normal":
        case "ignore":
          return sequence(node.body, builder);
        case "lookahead":
        case "negativeLookahead":
          // A dead end: what it demands is tried from here, and then the text is read from here once more.
          return { nullable: 1, first: sequence(node.body, builder).first, last: new Map() };
        default:
          // A lookbehind reads backwards, so that repetitions in it are not covered by the count of ways.
          if (/[*+?{]/u.test(node.raw.slice("(?<=".length))) throw new Undecided();
          return EMPTY;
      }
    case "quantifier": {
      const [body] = node.body;
      return body === undefined ? EMPTY : repeated(body, node.min, node.max ?? Infinity, builder);
    }
    case "anchor":
      // No character is at the end of the text, so nothing is reached there.
      return node.kind === "end" ? position(new Set(), builder) : EMPTY;
    case "reference":
      throw new Undecided();
    default:
      return position(takenBy(node.raw, builder.alphabet), builder);
  }
}

function position(taken: CharacterSet, { positions, follow }: Builder): Fragment {
  if (positions.length >= MOST_POSITIONS) throw new Undecided();
  const index = positions.push(taken) - 1;
  follow.push(new Map());
  return { nullable: 0, first: new Map([[index, 1]]), last: new Map([[index, 1]]) };
}

function sequence(parts: readonly PatternNode[], builder: Builder): Fragment {
  return parts.reduce((left, part) => chained(left, fragmentOf(part, builder), builder), EMPTY);
}

function chained(left: Fragment, right: Fragment, builder: Builder): Fragment {
  connect(left.last, right.first, builder);
  return {
    nullable: capped(left.nullable * right.nullable),
    first: sum(left.first, right.first, left.nullable),
    last: sum(right.last, left.last, right.nullable),
  };
}

function union(left: Fragment, right: Fragment): Fragment {
  return {
    nullable: capped(left.nullable + right.nullable),
    first: sum(left.first, right.first, 1),
    last: sum(left.last, right.last, 1),
  };
}

function repeated(body: PatternNode, min: number, max: number, builder: Builder): Fragment {
  const isLoop = max === Infinity || max > builder.largestCount;
  const demanded = isLoop ? Math.min(min, builder.largestCount) : min;
  const copies: Fragment[] = [];
  for (let count = 0; count < Math.max(demanded, isLoop ? 1 : max); count += 1) copies.push(fragmentOf(body, builder));
  const last = copies.at(-1);
  if (last === undefined) return EMPTY;
  // Which of many copies take the empty text is a choice of its own, and its ways are not counted here.
  if (last.nullable > 0 && (copies.length > 1 || (isLoop && max !== Infinity))) throw new Undecided();
  if (isLoop) {
    connect(last.last, last.first, builder);
    if (demanded === 0) return { ...last, nullable: 1 };
    return copies.reduce((left, right) => chained(left, right, builder), EMPTY);
  }
  const optional = copies
    .slice(demanded)
    .reduceRight((right, left) => ({ ...chained(left, right, builder), nullable: 1 }), EMPTY);
  return chained(
    copies.slice(0, demanded).reduce((left, right) => chained(left, right, builder), EMPTY),
    optional,
    builder,
  );
}

function connect(from: ReadonlyMap<number, number>, to: ReadonlyMap<number, number>, { follow }: Builder): void {
  for (const [left, waysOut] of from) {
    const edges = follow[left];
    if (edges === undefined) continue;
    for (const [right, waysIn] of to) edges.set(right, capped((edges.get(right) ?? 0) + waysOut * waysIn));
  }
}

function sum(
  own: ReadonlyMap<number, number>,
  other: ReadonlyMap<number, number>,
  times: number,
): ReadonlyMap<number, number> {
  if (times === 0) return own;
  const added = new Map(own);
  for (const [index, ways] of other) added.set(index, capped((added.get(index) ?? 0) + ways * times));
  return added;
}

function capped(count: number): number {
  return Math.min(count, MANY);
}
