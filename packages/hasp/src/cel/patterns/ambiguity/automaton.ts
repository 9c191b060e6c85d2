import { END, representatives, type Position } from "./characters.js";
import { parsePattern, type PatternNode } from "./pattern-tree.js";

/**
 * A repetition that is counted further than this is taken for an unbounded one: twice as slow a few dozen times is as
 * bad.
 */
const LARGEST_COUNT = 8;
/** Smaller counts are written out; an expression that needs more positions than this is left undecided. */
const MOST_POSITIONS = 600;

/** A number of ways, of which only none, one and several matter. */
type Ways = 0 | 1 | 2;

/** A part of the automaton: whether it takes the empty text, and where it begins and ends, with the number of ways. */
export interface Fragment {
  readonly nullable: Ways;
  readonly first: ReadonlyMap<number, Ways>;
  readonly last: ReadonlyMap<number, Ways>;
}

/** An expression as the positions of its characters and the steps between them. */
export interface Automaton {
  readonly alphabet: readonly string[];
  readonly positions: readonly Position[];
  /** From each position to the ones after it, with the number of ways. */
  readonly follow: readonly ReadonlyMap<number, Ways>[];
  readonly root: Fragment;
}

class Undecided extends Error {}

/** The automaton of an expression; `undefined` for one that is no regular language (back references) or too large. */
export function automatonOf(pattern: string): Automaton | undefined {
  const positions: Position[] = [];
  const follow: Map<number, Ways>[] = [];
  try {
    const tree = parsePattern(pattern);
    const alphabet = representatives(tree);
    const root = fragmentOf(tree, alphabet, positions, follow);
    return { alphabet, positions, follow, root };
  } catch {
    // Either a back reference, or a size beyond the bound, or no regular expression at all: nothing is claimed of
    // those.
    return undefined;
  }
}

const EMPTY: Fragment = { nullable: 1, first: new Map(), last: new Map() };
const NOTHING: Fragment = { nullable: 0, first: new Map(), last: new Map() };

function fragmentOf(
  node: PatternNode,
  alphabet: readonly string[],
  positions: Position[],
  follow: Map<number, Ways>[],
): Fragment {
  const recurse = (inner: PatternNode): Fragment => fragmentOf(inner, alphabet, positions, follow);
  switch (node.type) {
    case "alternative":
      return sequence(
        node.body.map((part) => () => recurse(part)),
        follow,
      );
    case "disjunction":
      return node.body.map(recurse).reduce(union, NOTHING);
    case "group":
      // A look-around takes no characters. What it demands is left out: more texts match, and more ways are counted,
      // not fewer.
      if (node.behavior !== "normal" && node.behavior !== "ignore") return EMPTY;
      return sequence(
        node.body.map((part) => () => recurse(part)),
        follow,
      );
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
    if (min > 0) {
      return sequence([...Array.from({ length: Math.min(min, LARGEST_COUNT) - 1 }, () => body), looped], follow);
    }
    return { ...looped(), nullable: 1 };
  }
  const demanded = sequence(
    Array.from({ length: min }, () => body),
    follow,
  );
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
