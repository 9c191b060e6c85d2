import { messageOf } from "../../../runtime/src/results/text.js";
import type { AskedCall } from "@hasp/runtime";
import { answerOfForm, cannotAsk, permissionForm, type FormAnswer } from "./permission-form.js";

/** The used methods of an MCP server that ask the person at the client. */
export interface ElicitingServer {
  getClientCapabilities(): { readonly elicitation?: object | undefined } | undefined;
  elicitInput(params: never, options?: never): Promise<{ readonly action: string; readonly content?: unknown }>;
}

/** A question has no time limit; it ends with its call. */
const LONGEST_MS = 2 ** 31 - 1;

/**
 * Creates a `permissions.ask` that asks the person at the client of an MCP server, if the client can ask. Only an
 * explicit yes allows; a client that cannot ask, an error and anything else deny. For clients of the revision
 * 2026-07-28, which are asked in another way, use `mcpQuestions`; it asks both.
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

/** Asks the person at the client. Rejects if the client does not ask, or the signal aborts. */
export async function elicit(server: ElicitingServer, asked: AskedCall, signal: AbortSignal): Promise<FormAnswer> {
  const options = { timeout: LONGEST_MS, signal };
  return answerOfForm(await server.elicitInput(permissionForm(asked) as never, options as never), asked);
}
