import { createApprovals, type AnsweredApprovals } from "../framework/approvals.js";

/** Connects the questions of a dispatcher to the interruptions of OpenAI Agents. Created by {@link openAIAgentsApprovals}. */
export type OpenAIAgentsApprovals = AnsweredApprovals;

/**
 * Lets OpenAI Agents ask the person: the dispatcher decides for which calls, the run ends with an interruption, and the
 * call runs when the run is resumed with `state.approve(interruption)`. An approval is bound to the call id, the tool and
 * the exact input, and lives in this process; with `turnId` and a call store it outlives the process.
 */
export function openAIAgentsApprovals(): OpenAIAgentsApprovals {
  return createApprovals();
}
