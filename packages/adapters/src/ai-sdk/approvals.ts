import { createApprovals, type FrameworkApprovals } from "../framework/approvals.js";
import { isObject } from "../../../runtime/src/json/members.js";

/** Connects the questions of a dispatcher to the approvals of the AI SDK. Created by {@link aiSdkApprovals}. */
export type AiSdkApprovals = FrameworkApprovals;

/**
 * Lets the AI SDK ask the person: the dispatcher decides for which calls, the SDK sends its approval request and
 * executes the call in a later step if the person agrees. An approval is bound to the call id, the tool and the exact
 * input. The SDK reads approvals from the messages that it receives: if a client writes those, set the SDK's secret for
 * approvals, so that none can be forged.
 */
export function aiSdkApprovals(): AiSdkApprovals {
  return createApprovals();
}

/** Reads the approval state of a call from messages. `approved`: every response to a request for it approves. */
export function approvalIn(messages: unknown, toolCallId: string): "none" | "requested" | "approved" {
  const parts = listOf(messages).flatMap((message) => listOf(message["content"]));
  const requests = parts
    .filter((part) => part["type"] === "tool-approval-request" && part["toolCallId"] === toolCallId)
    .map((part) => part["approvalId"]);
  const responses = parts.filter(
    (part) => part["type"] === "tool-approval-response" && requests.includes(part["approvalId"]),
  );
  if (requests.length === 0) return "none";
  return responses.length > 0 && responses.every((part) => part["approved"] === true) ? "approved" : "requested";
}

function listOf(value: unknown): readonly { readonly [key: string]: unknown }[] {
  return Array.isArray(value) ? value.filter((each: unknown) => isObject(each)) : [];
}
