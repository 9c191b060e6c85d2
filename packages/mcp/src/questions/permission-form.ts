import { type AskedCall, presentQuestion } from "@hasp/runtime";
import { isObject } from "../../../runtime/src/json/members.js";

const ALLOW = "Allow once";
const REFUSE = "Refuse";

/**
 * Creates the parameters of `elicitation/create` that ask for permission. There is no default, and the first choice is
 * the refusal: a client that accepts the form as it is, or fills in the first choice, allows nothing.
 */
export function permissionForm(asked: AskedCall): { readonly message: string; readonly requestedSchema: object } {
  const { toolName, effect, reason, input, notes, mayAllow } = presentQuestion(asked);
  const sentences = [`Allow the tool ${toolName} to run?`, effect, ...(reason === undefined ? [] : [reason])];
  const shown = input === undefined ? [] : ["Its input:", input];
  return {
    message: [[...sentences, ...shown.slice(0, 1)].join(" "), ...shown.slice(1), ...notes].join("\n"),
    requestedSchema: {
      type: "object",
      properties: {
        decision: { type: "string", title: "This call", enum: mayAllow ? [REFUSE, ALLOW] : [REFUSE] },
      },
      required: ["decision"],
    },
  };
}

/** A person's answer about a call. */
export interface FormAnswer {
  readonly decision: "allow" | "deny";
  readonly reason: string;
}

/** Reads a person's answer: only an accepted form with the allowing word, if it was offered, lets the call run. */
export function answerOfForm(response: unknown, asked: AskedCall): FormAnswer {
  const { action, content } = isObject(response) ? response : {};
  const isAllowed = action === "accept" && isObject(content) && content["decision"] === ALLOW;
  return isAllowed && presentQuestion(asked).mayAllow
    ? { decision: "allow", reason: "the client's user allowed it" }
    : { decision: "deny", reason: `The client's user did not allow this call of ${asked.toolName}.` };
}

/** Creates the answer if nobody can be asked. */
export function cannotAsk({ toolName }: Pick<AskedCall, "toolName">): FormAnswer {
  return {
    decision: "deny",
    reason: `${toolName} needs permission, and this client cannot ask its user (it has no elicitation).`,
  };
}
