import { isObject } from "../../../runtime/src/json/is-object.js";

/** How far the approval of a call has come in messages. `approved`: every response to a request for it approves. */
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
