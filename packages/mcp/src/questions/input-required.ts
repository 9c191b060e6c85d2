import { isObject } from "../../../runtime/src/json/is-object.js";
import type { ElicitingServer } from "./ask-through-elicitation.js";
import type { AskedCall } from "@hasp/runtime";
import { permissionForm } from "./permission-form.js";
import type { ServerRequest } from "./server-request.js";

/** Under which name the answer to a question comes back. */
const QUESTION = "permission";

/** The capability of a client that is asked, in the envelope of a request of the revision 2026-07-28. */
const CLIENT_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";

/** Whether the client can ask its user, in the way of its revision. */
export function canAsk({ isModern, envelope }: ServerRequest, server: ElicitingServer): boolean {
  const capabilities = isModern ? envelope?.[CLIENT_CAPABILITIES] : server.getClientCapabilities();
  return isObject(capabilities) && capabilities["elicitation"] !== undefined;
}

/** The result that has a client of 2026-07-28 ask its user, and call again with the answer and this state. */
export function inputRequired(asked: AskedCall, requestState: string): object {
  return {
    resultType: "input_required",
    inputRequests: { [QUESTION]: { method: "elicitation/create", params: { mode: "form", ...permissionForm(asked) } } },
    requestState,
  };
}

/** What the user answered, as such a client sends it back; `undefined` if it brings no answer. */
export function broughtAnswer({ inputResponses }: ServerRequest): unknown {
  return inputResponses?.[QUESTION];
}
