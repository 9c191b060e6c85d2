import { NotExecuted } from "@hasp/runtime";
import type { OauthClient } from "./oauth-client.js";

/** Creates the error of a login that a person refused, or that took too long. */
export function notApproved({ name }: OauthClient, what: "refused" | "expired"): NotExecuted {
  return new NotExecuted(
    what === "refused"
      ? `The login of ${name} was refused.`
      : `Nobody approved the login of ${name} in time. Run \`hasp login ${name}\` again.`,
  );
}
