import type { AskAnswer } from "../../dispatch/permissions/permission-types.js";
import type { PermissionRequest } from "../../tool/definition.js";
import { cut, messageOf } from "../../results/text.js";

/** The methods of an MCP server that ask the person at the client. */
export interface ElicitingServer {
  getClientCapabilities(): { readonly elicitation?: object | undefined } | undefined;
  elicitInput(params: never, options?: never): Promise<{ readonly action: string; readonly content?: unknown }>;
}

/** The most characters of an input that are shown; a cut is marked. */
const MOST_INPUT = 2000;
/** A question has no time limit; it ends with its call. */
const LONGEST_MS = 2 ** 31 - 1;

/**
 * Creates a `permissions.ask` that asks the person at the client of an MCP server, if the client can ask. Only an
 * explicit yes allows; a client that cannot ask, an error and anything else deny.
 */
export function askThroughElicitation(server: ElicitingServer): (request: PermissionRequest) => Promise<AskAnswer> {
  return async (request) => {
    if (server.getClientCapabilities()?.elicitation === undefined) {
      return {
        decision: "deny",
        reason: `${request.toolName} needs permission, and this client cannot ask its user (it has no elicitation).`,
      };
    }
    try {
      const options = { timeout: LONGEST_MS, signal: request.signal };
      const { action, content } = await server.elicitInput(questionOf(request) as never, options as never);
      const isAllowed = action === "accept" && (content as { readonly allow?: unknown } | undefined)?.allow === true;
      return isAllowed
        ? { decision: "allow", reason: "the user of the client allowed it" }
        : { decision: "deny", reason: `The user of the client did not allow this call of ${request.toolName}.` };
    } catch (error) {
      return { decision: "deny", reason: `The user could not be asked about ${request.toolName}: ${messageOf(error)}` };
    }
  };
}

function questionOf({ toolName, input, isDestructive, isReadOnly }: PermissionRequest): object {
  const effect = isDestructive ? "It may destroy data." : isReadOnly ? "It only reads." : "It changes something.";
  return {
    message: `Allow the tool ${toolName} to run? ${effect} Its input:\n${visible(input)}`,
    requestedSchema: {
      type: "object",
      properties: { allow: { type: "boolean", title: "Allow this call", default: false } },
      required: ["allow"],
    },
  };
}

/** The input on one line, with characters escaped that a screen would hide or reorder. */
function visible(input: unknown): string {
  const text = JSON.stringify(input).replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, escaped);
  return text.length <= MOST_INPUT ? text : `${cut(text, MOST_INPUT)} (cut: ${text.length} characters)`;
}

function escaped(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
