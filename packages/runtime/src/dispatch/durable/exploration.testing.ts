/** A call of the exploration. */
export interface PlannedCall {
  /** `write` may run once, `upsert` again with its key, `pay` once a person has allowed it. */
  readonly name: "write" | "upsert" | "pay";
  /** What the person says about a `pay`. */
  readonly answer?: "allow" | "deny" | "nobody";
}

/** How a call may end, as the code of its error and the number of its effects: undisturbed, and where a process was killed. */
function endsOf({ name, answer }: PlannedCall): { readonly quiet: string; readonly killed: readonly string[] } {
  if (answer === "deny") return { quiet: "denied 0", killed: [] };
  if (answer === "nobody") return { quiet: "question-expired 0", killed: [] };
  return { quiet: "ok 1", killed: name === "upsert" ? ["ok 2"] : ["process-lost 0", "process-lost 1"] };
}

/**
 * The reference: all that may come of a turn if at most one process is killed. One call at most may be in the middle then;
 * the order of the processes and the moment of an answer make no difference. It shares no code with the dispatcher.
 */
export function possibleEnds(plan: readonly PlannedCall[]): readonly string[] {
  const calls = plan.map(endsOf);
  const quiet = calls.map((call) => call.quiet);
  const killed = calls.flatMap((call, index) => call.killed.map((end) => quiet.with(index, end)));
  return [quiet, ...killed].map((ends) => ends.join(", ")).toSorted();
}
