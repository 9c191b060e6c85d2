import { isObject } from "../../../runtime/src/json/members.js";
import type { ElicitingServer } from "./ask-through-elicitation.js";
import type { AskedCall } from "@hasp/runtime";
import { permissionForm } from "./permission-form.js";
import type { ServerRequest } from "./server-request.js";

/** The name under which the answer to a question returns. */
const QUESTION = "permission";

/** The capability of a client to be asked, in a request of the revision 2026-07-28. */
const CLIENT_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";

/** True if the client can ask its user, in the way of its revision. */
export function canAsk({ isModern, envelope }: ServerRequest, server: ElicitingServer): boolean {
  const capabilities = isModern ? envelope?.[CLIENT_CAPABILITIES] : server.getClientCapabilities();
  return isObject(capabilities) && capabilities["elicitation"] !== undefined;
}

/** Creates the result that has a client of 2026-07-28 ask its user, and call again with the answer and this state. */
export function inputRequired(asked: AskedCall, requestState: string): object {
  return {
    resultType: "input_required",
    inputRequests: { [QUESTION]: { method: "elicitation/create", params: { mode: "form", ...permissionForm(asked) } } },
    requestState,
  };
}

/** Returns the user's answer, as such a client sends it; `undefined` if there is none. */
export function broughtAnswer({ inputResponses }: ServerRequest): unknown {
  return inputResponses?.[QUESTION];
}
