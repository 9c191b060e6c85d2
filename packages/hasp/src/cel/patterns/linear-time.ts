import { linearPattern } from "@hasp/schema/vocabulary";
import { automatonOf, type Automaton } from "./linear-time/automaton.js";

/** Most ways in which a text may be matched so far; a backtracking engine tries each of them at every character. */
const MOST_WAYS = 100;
/** Most sets of ways that are followed; beyond that, nothing is proved. */
const MOST_SETS = 3000;
/** Repetitions are written out up to the first of these counts, then up to the second if that proves nothing. */
const COUNTS = [8, 64] as const;

/** What an author can do about a pattern that is not proved. */
export const LINEAR_TIME_HELP =
  "Begin the pattern with ^, let no two repetitions that are adjacent or nested match the same characters, and use no back reference and no repetition in a lookbehind.";

/**
 * Whether a backtracking engine is proved to match an expression in linear time: however long the text, the number of
 * ways to match it so far stays below a constant. The ways are counted on the position automaton, along every text.
 * This is a proof or nothing: `false` also means that the expression is too large or has a form that is not analysed.
 */
export function isLinearTime(pattern: string): boolean {
  if (!canBeRun(pattern)) return false;
  if (!/[*+?{|(]/u.test(pattern) && pattern.length < MOST_WAYS) return true;
  return COUNTS.some((count) => {
    const automaton = automatonOf(pattern, count);
    return automaton !== undefined && hasFewWays(automaton);
  });
}

/**
 * Whether the validator can match a pattern in linear time: natively where backtracking is cheap, on its own engine
 * otherwise. It has no way to run back references, nor patterns too large for the engine.
 */
export function canBeRun(pattern: string): boolean {
  try {
    return linearPattern(pattern) !== undefined;
  } catch {
    // An invalid regular expression is a finding of its own.
    return false;
  }
}

/** The positions that can be reached over some text, each with the number of ways; a new match may still begin. */
interface Reached {
  readonly ways: ReadonlyMap<number, number>;
  readonly isSearching: boolean;
}

function hasFewWays(automaton: Automaton): boolean {
  const characters = distinctCharacters(automaton);
  const start: Reached = { ways: new Map(), isSearching: !automaton.isAnchored };
  const waiting: Reached[] = characters.map((character) => step(start, character, automaton, true));
  const seen = new Set<string>();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next.ways.size === 0 && !next.isSearching) continue;
    const key = `${next.isSearching} ${[...next.ways].toSorted(([a], [b]) => a - b).join(" ")}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const total = [...next.ways.values()].reduce((left, right) => left + right, 0);
    if (total > MOST_WAYS || seen.size > MOST_SETS) return false;
    for (const character of characters) waiting.push(step(next, character, automaton, next.isSearching));
  }
  return true;
}

function step({ ways, isSearching }: Reached, character: string, automaton: Automaton, begins: boolean): Reached {
  const { positions, follow, root } = automaton;
  const reached = new Map<number, number>();
  const reach = (edges: ReadonlyMap<number, number>, times: number): void => {
    for (const [index, count] of edges) {
      if (positions[index]?.has(character) === true) reached.set(index, (reached.get(index) ?? 0) + count * times);
    }
  };
  for (const [index, times] of ways) reach(follow[index] ?? new Map(), times);
  if (begins) reach(root.first, 1);
  // Once an earlier beginning has led to a match, no later one is tried.
  const hasMatched = [...reached.keys()].some((index) => automaton.accepting.has(index));
  return { ways: reached, isSearching: isSearching && !hasMatched };
}

/** One character of each set that the positions do not tell apart. */
function distinctCharacters({ alphabet, positions }: Automaton): readonly string[] {
  const bySignature = new Map<string, string>();
  for (const character of alphabet) {
    bySignature.set(positions.map((taken) => (taken.has(character) ? 1 : 0)).join(""), character);
  }
  return [...bySignature.values()];
}
