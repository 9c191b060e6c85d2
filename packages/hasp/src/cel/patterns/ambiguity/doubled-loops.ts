import type { Automaton } from "./automaton.js";
import { commonCharacter, type Position } from "./characters.js";

/** So many pairs of positions are looked at from one start. */
const MOST_PAIRS = 100_000;

/** Positions with a text that leads back to them in two ways. */
export function* doubledLoops({
  positions,
  follow,
}: Automaton): Generator<{ readonly at: number; readonly text: string }> {
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
