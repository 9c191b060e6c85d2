import { createEventSubject, type CallState } from "../state/call-state.js";
import type { Engine } from "../state/engine.js";

const MOST_NAMED = 5;

/** Words of other libraries for the members of our answers. */
const SYNONYMS: { readonly [word: string]: string } = {
  args: "input",
  arguments: "input",
  approved: "decision",
  behavior: "decision",
  message: "reason",
  scope: "remember",
};

/**
 * Returns the members of an answer. Throws a `TypeError` for unknown ones: a member that is misspelt, or meant for
 * another library, must not pass for consent. `who` begins the message.
 */
export function readMembers<Known extends string>(
  answer: object,
  known: readonly Known[],
  who: string,
): { readonly [Member in Known]?: unknown } {
  const unknown = Object.keys(answer).filter((name) => !known.some((each) => each === name));
  if (unknown.length === 0) return answer;
  const said = unknown.slice(0, MOST_NAMED).map((name) => {
    const nearest = findNearest(name, known);
    return `\`${name.slice(0, 80)}\`${nearest === undefined ? "" : ` (did you mean \`${nearest}\`?)`}`;
  });
  throw new TypeError(`${who} answered unknown members: ${said.join(", ")}; known are ${known.join(", ")}`);
}

/** Finds the member that a word contains, nearly spells, or stands for. */
function findNearest(word: string, known: readonly string[]): string | undefined {
  const plain = word
    .slice(0, 80)
    .toLowerCase()
    .replaceAll(/[^a-z]/g, "");
  const meant = Object.entries(SYNONYMS).find(([other]) => plain.includes(other))?.[1];
  const isNear = (name: string): boolean => plain.includes(name) || countEdits(plain, name) <= 2;
  return known.find(isNear) ?? known.find((name) => name === meant);
}

/** Counts the letters to insert, remove or change until one word is the other. */
function countEdits(word: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...word].entries()) {
    const next = [index + 1];
    for (const [at, wanted] of [...other].entries()) {
      const changed = (row[at] ?? 0) + (letter === wanted ? 0 : 1);
      next.push(Math.min(changed, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** Tells the host that one of its functions has failed, for which the call is refused. */
export function reportProblem(
  { emit }: Engine,
  call: CallState,
  code: "permission-failed" | "hook-failed",
  message: string,
): void {
  emit?.({ type: "problem", ...createEventSubject(call), code, message });
}
