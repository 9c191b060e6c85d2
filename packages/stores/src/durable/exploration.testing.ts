export interface PlannedCall {
  /** `write` may run once, `upsert` again with the same key, `pay` once a person has allowed it. */
  readonly name: "write" | "upsert" | "pay";
  /** The person's answer about a `pay`. */
  readonly answer?: "allow" | "deny" | "nobody";
}

/** Lists the ends of a call, as error code and number of effects: undisturbed, and after its process was killed. */
function endsOf({ name, answer }: PlannedCall): { readonly quiet: string; readonly killed: readonly string[] } {
  if (answer === "deny") return { quiet: "denied 0", killed: [] };
  if (answer === "nobody") return { quiet: "question-expired 0", killed: [] };
  return { quiet: "ok 1", killed: name === "upsert" ? ["ok 2"] : ["process-lost 0", "process-lost 1"] };
}

/**
 * The reference: lists every possible end of a turn if at most one process is killed. At most one call can be in
 * progress then; the order of the processes and the time of an answer make no difference. It shares no code with the
 * dispatcher.
 */
export function possibleEnds(plan: readonly PlannedCall[]): readonly string[] {
  const calls = plan.map(endsOf);
  const quiet = calls.map((call) => call.quiet);
  const killed = calls.flatMap((call, index) => call.killed.map((end) => quiet.with(index, end)));
  return [quiet, ...killed].map((ends) => ends.join(", ")).toSorted();
}
