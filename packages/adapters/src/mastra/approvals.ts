import { createApprovals, type AnsweredApprovals } from "../framework/approvals.js";

/** Connects the questions of a dispatcher to the suspensions of Mastra. Created by {@link mastraApprovals}. */
export type MastraApprovals = AnsweredApprovals;

/**
 * Lets Mastra ask the person: a call that needs one suspends the run with a {@link CallQuestion}, and runs when the run is
 * resumed with a `CallAnswer` for that call. With `turnId` and a call store, the question is also bound to the tool's
 * definition and an expiry, and no effect happens twice.
 */
export function mastraApprovals(): MastraApprovals {
  return createApprovals();
}
