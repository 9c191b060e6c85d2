import type { Question } from "../../../calls/call-store.js";
import type { PermissionRequest } from "../../../tool/definition.js";
import { isObject } from "../../../json/is-object.js";
import { cut } from "../../../results/text.js";

/** The most characters of an input that are shown; a cut is marked. */
const MOST_INPUT = 2000;

const ALLOW = "Allow once";
const REFUSE = "Refuse";

/** What a person is told of a call. */
export type AskedCall = Pick<PermissionRequest, "toolName" | "input" | "reason" | "isDestructive" | "isReadOnly">;

/** A stored question as a person is told of it. */
export function asAsked({ toolName, input, reason, isDestructive, class: kind }: Question): AskedCall {
  return { toolName, input, reason, isDestructive, isReadOnly: kind === "READ_ONLY" };
}

/** The parameters of `elicitation/create` that ask whether a call may run. Accepting the form as it is allows it. */
export function permissionForm({ toolName, input, reason, isDestructive, isReadOnly }: AskedCall): {
  readonly message: string;
  readonly requestedSchema: object;
} {
  const effect = isDestructive ? "It may destroy data." : isReadOnly ? "It only reads." : "It changes something.";
  const because = reason === undefined ? "" : ` ${visible(reason)}`;
  return {
    message: `Allow the tool ${toolName} to run? ${effect}${because} Its input:\n${visible(JSON.stringify(input))}`,
    requestedSchema: {
      type: "object",
      properties: { decision: { type: "string", title: "This call", enum: [ALLOW, REFUSE], default: ALLOW } },
      required: ["decision"],
    },
  };
}

/** What a form says about a call. */
export interface FormAnswer {
  readonly decision: "allow" | "deny";
  readonly reason: string;
}

/** What a person answered: only an accepted form with the word that allows lets the call run. */
export function answerOfForm(response: unknown, { toolName }: Pick<AskedCall, "toolName">): FormAnswer {
  const { action, content } = isObject(response) ? response : {};
  const isAllowed = action === "accept" && isObject(content) && content["decision"] === ALLOW;
  return isAllowed
    ? { decision: "allow", reason: "the client's user allowed it" }
    : { decision: "deny", reason: `The client's user did not allow this call of ${toolName}.` };
}

/** The answer where nobody can be asked. */
export function cannotAsk({ toolName }: Pick<AskedCall, "toolName">): FormAnswer {
  return {
    decision: "deny",
    reason: `${toolName} needs permission, and this client cannot ask its user (it has no elicitation).`,
  };
}

/** A text on one line, with characters escaped that a screen would hide or reorder. */
function visible(text: string): string {
  const shown = text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, escaped);
  return shown.length <= MOST_INPUT ? shown : `${cut(shown, MOST_INPUT)} (cut: ${shown.length} characters)`;
}

function escaped(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
