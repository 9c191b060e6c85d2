import { automatonOf, type Automaton } from "./ambiguity/automaton.js";
import { characterOf } from "./ambiguity/characters.js";
import { doubledLoops } from "./ambiguity/doubled-loops.js";

/**
 * Decides whether a regular expression is exponentially ambiguous: whether some text can be matched in a number of ways
 * that doubles with its length, all of which a backtracking engine tries before it gives up. The expression becomes an
 * automaton whose positions are its characters (Glushkov's construction, with the number of ways to step from one to
 * another), and it is ambiguous exactly if two different paths lead from a position back to itself over the same text
 * (Weber and Seidl, 1991).
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

/** A text on which the expression's ways double again and again, and then none of them matches. */
function attackOn(automaton: Automaton): Attack | undefined {
  const { alphabet, positions, root } = automaton;
  for (const { at, text: pump } of doubledLoops(automaton)) {
    const prefix = textTo(at, automaton);
    if (prefix === undefined) continue;
    const pumped = prefix + pump.repeat(positions.length + 1);
    // Where the expression may end without `$`, a match is found at once and nothing is tried again.
    const reached = positionsAfter(pumped, automaton);
    if ([...reached].some((index) => root.last.has(index))) continue;
    const suffix = alphabet.find((character) => ![...reached].some((index) => stepsOn(index, character, automaton)));
    if (suffix !== undefined) return { prefix, pump, suffix };
  }
  return undefined;
}

function stepsOn(index: number, character: string, { positions, follow }: Automaton): boolean {
  return [...(follow[index]?.keys() ?? [])].some((next) => positions[next]?.has(character) === true);
}

/** Positions that a text leads to from the beginning. */
function positionsAfter(text: string, { positions, follow, root }: Automaton): ReadonlySet<number> {
  let reached: ReadonlySet<number> | undefined;
  for (const character of text) {
    const sources: Iterable<number> = reached ?? [];
    const next = new Set<number>();
    for (const index of reached === undefined
      ? root.first.keys()
      : [...sources].flatMap((each) => [...(follow[each]?.keys() ?? [])])) {
      if (positions[index]?.has(character) === true) next.add(index);
    }
    reached = next;
  }
  return reached ?? new Set();
}

/** The shortest text that ends at a position. */
function textTo(target: number, { positions, follow, root }: Automaton): string | undefined {
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
