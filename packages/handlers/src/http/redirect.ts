import { one } from "./decode.js";
import { HttpError, notExecuted } from "./network/failure.js";
import { isHttp, type CallProgress, type ConnectionSettings } from "./settings.js";
import type { Credentials } from "./auth.js";
import { SAFE_METHODS, type Deadline, type OutgoingRequest, type RawAnswer } from "./network/transport.js";

/** Limits the redirects of one request. */
const MOST_REDIRECTS = 5;

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Sends a request and follows redirects within the hosts of the connection. Methods change as in browsers; credentials
 * never leave their origin.
 */
export async function sendFollowing(
  settings: ConnectionSettings<never>,
  first: OutgoingRequest,
  credentials: Pick<Credentials, "headers">,
  deadline: Deadline,
  progress: CallProgress,
): Promise<RawAnswer> {
  let request = first;
  for (let followed = 0; ; followed += 1) {
    const answer = await settings.transport(request, deadline);
    const location = one(answer.headers["location"]);
    if (!REDIRECTS.has(answer.status) || location === "") return answer;
    if (followed === MOST_REDIRECTS) throw refused(answer.status, `redirected more than ${MOST_REDIRECTS} times`);
    const target = URL.canParse(location, request.url.href) ? new URL(location, request.url) : undefined;
    if (target === undefined || !isAllowed(target, settings)) {
      const where = target === undefined ? "an address that is not a URL" : target.host;
      throw refused(answer.status, `redirected to ${where}, which the connection does not allow`);
    }
    progress.mayHaveLanded ||= answer.status <= 303 && !SAFE_METHODS.has(request.method);
    request = redirected(request, target, answer.status, credentials);
  }
}

/** Allows the same host and those that the connection names, and never a change from https to http. */
function isAllowed(target: URL, { origin, allowedHosts }: ConnectionSettings<never>): boolean {
  if (!isHttp(target) || target.username + target.password !== "") return false;
  const isSecure = target.protocol === "https:";
  if (origin.protocol === "https:" && !isSecure) return false;
  if (target.host === origin.host || (isSecure && target.port === "" && target.hostname === origin.hostname)) {
    return true;
  }
  return allowedHosts.some((host) =>
    host.startsWith("*.") ? target.host.endsWith(host.slice(1)) : target.host === host,
  );
}

function redirected(
  { method, url, headers, body }: OutgoingRequest,
  target: URL,
  status: number,
  credentials: Pick<Credentials, "headers">,
): OutgoingRequest {
  const becomesGet = (status === 303 && method !== "HEAD") || (status <= 302 && method === "POST");
  const isSameOrigin = target.origin === url.origin;
  const kept = Object.entries(headers).filter(([name]) => {
    if (becomesGet && name.startsWith("content-")) return false;
    return isSameOrigin || !(name === "cookie" || name === "authorization" || Object.hasOwn(credentials.headers, name));
  });
  return {
    method: becomesGet ? "GET" : method,
    url: target,
    headers: Object.fromEntries(kept),
    body: becomesGet ? undefined : body,
  };
}

/** With 307 and 308 the service did nothing; with other statuses it may have done the work. */
function refused(status: number, what: string): Error {
  const message = `the service answered ${status} and ${what}`;
  return status >= 307 ? notExecuted(message, { status }) : new HttpError(message, { status, retryable: false });
}
