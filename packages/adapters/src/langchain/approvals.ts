import { createApprovals, type AnsweredApprovals } from "../framework/approvals.js";

/** Connects the questions of a dispatcher to the interrupts of LangGraph. Created by {@link langGraphApprovals}. */
export type LangGraphApprovals = AnsweredApprovals;

/**
 * Lets LangGraph ask the person: a call that needs one interrupts the graph with a {@link CallQuestion}, and runs when the
 * graph is resumed with a `LangGraphAnswer`. The graph needs a checkpointer. With `turnId` and a call store, the question
 * is also bound to the tool's definition and an expiry, and no effect happens twice where a node runs again.
 */
export function langGraphApprovals(): LangGraphApprovals {
  return createApprovals();
}
