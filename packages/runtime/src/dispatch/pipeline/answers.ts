import { findNearestName } from "@hasp/schema/internal/runtime";
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
 * another library, must not pass for consent. `start` begins the message.
 */
export function readMembers<Known extends string>(
  answer: object,
  known: readonly Known[],
  start: string,
): { readonly [Member in Known]?: unknown } {
  const unknown = Object.keys(answer).filter((name) => !known.some((each) => each === name));
  if (unknown.length === 0) return answer;
  const said = unknown.slice(0, MOST_NAMED).map((name) => {
    const nearest = findNearest(name, known);
    return `\`${name.slice(0, 80)}\`${nearest === undefined ? "" : ` (did you mean \`${nearest}\`?)`}`;
  });
  throw new TypeError(`${start} unknown members: ${said.join(", ")}; known are ${known.join(", ")}`);
}

/** Finds the member that a word contains, nearly spells, or stands for. */
function findNearest(word: string, known: readonly string[]): string | undefined {
  const plain = word
    .slice(0, 60)
    .toLowerCase()
    .replaceAll(/[^a-z]/g, "");
  const meant = Object.entries(SYNONYMS).find(([other]) => plain.includes(other))?.[1];
  return (
    known.find((name) => plain.includes(name)) ??
    findNearestName(plain, known, 2) ??
    known.find((name) => name === meant)
  );
}

/** Reports to the host that one of its functions has failed, and that the call is refused for it. */
export function reportProblem(
  { emit }: Engine,
  call: CallState,
  code: "permission-failed" | "hook-failed",
  message: string,
): void {
  emit?.({ type: "problem", ...createEventSubject(call), code, message });
}
