import { createApprovals, type FrameworkApprovals } from "../framework/approvals.js";

/** Connects the questions of a dispatcher to the approvals of the AI SDK. Created by {@link aiSdkApprovals}. */
export type AiSdkApprovals = FrameworkApprovals;

/**
 * Lets the AI SDK ask the person: the dispatcher decides for which calls, the SDK sends its approval request and
 * executes the call in a later step if the person agrees. An approval is bound to the call id, the tool and the exact
 * input. The SDK reads approvals from the messages that it is given: where a client writes those, set the SDK's secret
 * for approvals, so that none can be forged.
 */
export function aiSdkApprovals(): AiSdkApprovals {
  return createApprovals();
}
