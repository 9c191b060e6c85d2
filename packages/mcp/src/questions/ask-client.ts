import { type AskedCall, presentQuestion } from "@hasp/runtime";
import { LONGEST_TIMER, messageOf } from "@hasp/runtime/internal";
import { isObject, type JsonValue, toObject } from "@hasp/base/json";
import type { ServerRequest } from "./server-request.js";

const ALLOW = "Allow once";
const REFUSE = "Refuse";

/**
 * Creates the parameters of `elicitation/create`. The form has no default and its first choice is the refusal: a
 * client that accepts it unread allows nothing.
 */
function permissionForm(asked: AskedCall): { readonly message: string; readonly requestedSchema: object } {
  const { toolName, effect, reason, input, notes, mayAllow } = presentQuestion(asked);
  const sentences = [`Allow the tool ${toolName} to run?`, effect, ...(reason === undefined ? [] : [reason])];
  const shown = input === undefined ? [] : ["Its input:", input];
  return {
    message: [[...sentences, ...shown.slice(0, 1)].join(" "), ...shown.slice(1), ...notes].join("\n"),
    requestedSchema: {
      type: "object",
      properties: {
        decision: { type: "string", title: "This call", enum: mayAllow ? [REFUSE, ALLOW] : [REFUSE] },
        ...(mayAllow && { input: { type: "string", title: "Another input, as JSON. Empty: the one above" } }),
      },
      required: ["decision"],
    },
  };
}

export interface FormAnswer {
  readonly decision: "allow" | "deny";
  readonly reason: string;
  readonly input?: JsonValue;
}

/** Reads a person's answer: only an accepted form with the allowing word, if it was offered, lets the call run. */
export function answerOfForm(response: unknown, asked: AskedCall): FormAnswer {
  const { action, content } = toObject(response);
  const { decision, input = "", ...others } = toObject(content);
  if (Object.keys(others).length > 0) {
    return {
      decision: "deny",
      reason: `The answer about ${asked.toolName} says more than the form asks, so it is refused.`,
    };
  }
  if (action !== "accept" || decision !== ALLOW || !presentQuestion(asked).mayAllow) {
    return { decision: "deny", reason: `The client's user did not allow this call of ${asked.toolName}.` };
  }
  const allowed: FormAnswer = { decision: "allow", reason: "the client's user allowed it" };
  if (input === "") return allowed;
  try {
    return { ...allowed, input: JSON.parse(String(input)) as JsonValue };
  } catch {
    return {
      decision: "deny",
      reason: `The other input in the answer about ${asked.toolName} is not JSON, so it is refused.`,
    };
  }
}

export function cannotAsk(asked: Pick<AskedCall, "toolName" | "flow">): FormAnswer {
  return {
    decision: "deny",
    reason: `${explainNeed(asked)}, and this client cannot ask its user (it has no elicitation).`,
  };
}

/** Says why somebody has to be asked, up to a comma. A tool that needs no permission is not said to need it. */
export function explainNeed({ toolName, flow }: Pick<AskedCall, "toolName" | "flow">): string {
  return flow === undefined
    ? `${toolName} needs permission`
    : `What ${toolName} sends leaves this conversation, which holds private data and text that an outsider may have written`;
}

/** The methods of an MCP server that ask the person at the client. */
export interface ElicitingServer {
  getClientCapabilities(): { readonly elicitation?: object | undefined } | undefined;
  elicitInput(params: never, options?: never): Promise<{ readonly action: string; readonly content?: unknown }>;
}

/**
 * Creates a `permissions.ask` for clients of 2025-11-25. Only an explicit yes allows: a client that cannot ask, and an
 * error, deny. `mcpQuestions` also asks clients of 2026-07-28.
 */
export function askThroughElicitation(
  server: ElicitingServer,
): (request: AskedCall & { readonly signal: AbortSignal }) => Promise<FormAnswer> {
  return async (request) => {
    if (server.getClientCapabilities()?.elicitation === undefined) return cannotAsk(request);
    try {
      return await elicit(server, request, request.signal);
    } catch (error) {
      return { decision: "deny", reason: `The user could not be asked about ${request.toolName}: ${messageOf(error)}` };
    }
  };
}

/** Asks the person at the client, for as long as the call lasts. Rejects if the client does not ask, or the signal aborts. */
export async function elicit(server: ElicitingServer, asked: AskedCall, signal: AbortSignal): Promise<FormAnswer> {
  const options = { timeout: LONGEST_TIMER, signal };
  return answerOfForm(await server.elicitInput(permissionForm(asked) as never, options as never), asked);
}

/** The name under which the answer to a question returns. */
const QUESTION = "permission";

/** The capability of a client to be asked, in a request of the revision 2026-07-28. */
export const CLIENT_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";

export function canAsk({ isModern, envelope }: ServerRequest, server: ElicitingServer): boolean {
  const capabilities = isModern ? envelope?.[CLIENT_CAPABILITIES] : server.getClientCapabilities();
  return isObject(capabilities) && capabilities["elicitation"] !== undefined;
}

/** Creates the result that has a client of 2026-07-28 ask its user, and call again with the answer and this state. */
export function requireInput(asked: AskedCall, requestState: string): object {
  return {
    resultType: "input_required",
    inputRequests: { [QUESTION]: { method: "elicitation/create", params: { mode: "form", ...permissionForm(asked) } } },
    requestState,
  };
}

/** Returns the user's answer, as such a client sends it; `undefined` if there is none. */
export function readBroughtAnswer({ inputResponses }: ServerRequest): unknown {
  return inputResponses?.[QUESTION];
}
