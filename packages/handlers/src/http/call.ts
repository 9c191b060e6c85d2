import type { CallOptions, Redactor, SecretPatterns } from "@hasp/runtime/internal";
import { answerNow } from "@hasp/runtime/contract";
import { type HttpAuth, readCredentials, type HttpCredentials } from "./auth.js";
import { writeBody, type WrittenBody } from "./request/body.js";
import { setHeader, writeHeaders, type Headers } from "./request/headers.js";
import { type NextPage, withCursor } from "./pagination.js";
import type { HttpDeclaration, HttpRequest } from "./request/http-request.js";
import { fillPath, joinPairs, writeCookies, writeQuery, type PathTemplate } from "./request/target.js";
import {
  type Deadline,
  type OutgoingRequest,
  type RawAnswer,
  type Transport,
  SAFE_METHODS,
  HttpError,
  isHttp,
  createNotExecuted,
} from "./network/transport.js";
import type { ServiceAddress } from "./service-address.js";
import { one } from "./decode.js";

export interface CheckedConnection<Context> {
  /** Throws {@link NotExecuted} if the environment variable holds no allowed address. */
  readonly address: () => ServiceAddress;
  readonly auth: HttpAuth<Context> | undefined;
  readonly allowedHosts: readonly string[];
  readonly timeoutSeconds: number;
  readonly maxBytes: number;
  readonly transport: Transport;
  readonly patterns: SecretPatterns;
  readonly isLenient: boolean;
}

/** The state of a call that its errors need. */
export interface HttpCallState {
  readonly secrets: Redactor;
  /** True once a request was answered as done; further requests only fetch the answer. */
  mayHaveLanded: boolean;
}

export interface PreparedRequest {
  readonly declaration: HttpDeclaration<never, never>;
  readonly parts: HttpRequest;
  readonly address: ServiceAddress;
  readonly path: string;
  readonly headers: Headers;
  readonly body: WrittenBody | undefined;
}

export interface HttpCall {
  readonly name: string;
  readonly settings: CheckedConnection<never>;
  readonly prepared: PreparedRequest;
  readonly options: CallOptions<unknown>;
  readonly progress: HttpCallState;
}

/** Prepares everything that depends on the input. Throws {@link NotExecuted} for values that cannot be sent. */
export function prepare<Input, Context>(
  declaration: HttpDeclaration<Input, Context>,
  template: PathTemplate,
  address: ServiceAddress,
  input: Input,
  options: CallOptions<Context>,
): PreparedRequest {
  const parts = (answerNow(declaration.request?.(input, options.context)) ?? {}) as HttpRequest;
  if (typeof parts !== "object") throw new TypeError("`request` must answer with an object");
  const { styles = {}, idempotencyHeader } = declaration;
  const headers: Headers = {
    accept: "application/json, text/*;q=0.9, */*;q=0.5",
    "accept-encoding": "gzip, deflate, br",
    "user-agent": "hasp",
    ...writeHeaders(parts.headers, styles.headers),
  };
  const body = writeBody(parts.body);
  if (body !== undefined) {
    setHeader(headers, "content-type", body.mediaType);
    headers["content-length"] = String(body.bytes.length);
  } else if (!["GET", "HEAD", "OPTIONS", "DELETE"].includes(declaration.method)) headers["content-length"] = "0";
  if (idempotencyHeader !== undefined) setHeader(headers, idempotencyHeader.toLowerCase(), options.idempotencyKey);
  return {
    declaration,
    parts,
    address,
    path: address.prefix + fillPath(template, parts.path, styles.path),
    headers,
    body,
  };
}

function complete(
  { declaration: { method, styles = {} }, parts, address: { origin }, path, headers, body }: PreparedRequest,
  credentials: HttpCredentials,
  page: NextPage | undefined,
): OutgoingRequest {
  const query = writeQuery(parts.query, styles.query, credentials.query);
  const cookies = writeCookies(parts.cookies, styles.cookies, credentials.cookies);
  const search = page !== undefined && "cursor" in page ? withCursor(query, page.cursor) : query;
  const url =
    page !== undefined && "url" in page
      ? withCredentials(page.url, credentials)
      : new URL(`${origin.origin}${path}${search === "" ? "" : `?${search}`}`);
  return {
    method,
    url,
    headers: { ...headers, ...(cookies !== "" && { cookie: cookies }), ...credentials.headers },
    body: body?.bytes,
  };
}

function withCredentials(url: URL, { query }: HttpCredentials): URL {
  const missing = query.filter(([name]) => !url.searchParams.has(decodeURIComponent(name)));
  if (missing.length === 0) return url;
  const next = new URL(url);
  next.search = [next.search.slice(1), joinPairs(missing, "&")].filter((part) => part !== "").join("&");
  return next;
}

interface AnsweredRequest {
  readonly answer: RawAnswer;
  readonly url: URL;
}

/** Sends one request. A service that answers 401 has done nothing, so renewable credentials are renewed once. */
export async function send(call: HttpCall, page: NextPage | undefined): Promise<AnsweredRequest> {
  const { prepared, settings } = call;
  const { context, signal } = call.options;
  const { timeoutSeconds, isLenient } = settings;
  const { secrets } = call.progress;
  const { origin } = prepared.address.origin;
  const scope = { context, signal, origin, secrets, isLenient, timeoutMs: timeoutSeconds * 1000 };
  const deadline: Deadline = {
    signal,
    at: performance.now() + timeoutSeconds * 1000,
    message: `the service did not answer within ${timeoutSeconds} s`,
  };
  for (let isRenewed = false; ; isRenewed = true) {
    const credentials = await readCredentials(settings.auth, scope);
    const outgoing = complete(prepared, credentials, page);
    const answer = await sendFollowing(call, outgoing, credentials, deadline);
    if (answer.status !== 401 || isRenewed || !credentials.refused()) return { answer, url: outgoing.url };
  }
}

const MOST_REDIRECTS = 5;

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Follows redirects within the connection's hosts, with the methods of browsers and credentials for one origin. */
async function sendFollowing(
  { settings, progress }: HttpCall,
  first: OutgoingRequest,
  credentials: Pick<HttpCredentials, "headers">,
  deadline: Deadline,
): Promise<RawAnswer> {
  let request = first;
  for (let followed = 0; ; followed += 1) {
    const answer = await settings.transport(request, deadline);
    const location = one(answer.headers["location"]);
    if (!REDIRECTS.has(answer.status) || location === "") return answer;
    if (followed === MOST_REDIRECTS) throw refused(answer.status, `redirected more than ${MOST_REDIRECTS} times`);
    const target = URL.canParse(location, request.url.href) ? new URL(location, request.url) : undefined;
    if (target === undefined || !isAllowed(target, first.url, settings)) {
      const where = target === undefined ? "an address that is not a URL" : target.host;
      throw refused(answer.status, `redirected to ${where}, which the connection does not allow`);
    }
    progress.mayHaveLanded ||= answer.status <= 303 && !SAFE_METHODS.has(request.method);
    request = redirected(request, target, answer.status, credentials);
  }
}

/** True for the connection's own hosts, and never for a change from https to http. */
function isAllowed(target: URL, origin: URL, { allowedHosts }: CheckedConnection<never>): boolean {
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
  credentials: Pick<HttpCredentials, "headers">,
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

/** Creates the error of a refused redirect. After 307 and 308 the service did nothing, after others it may have. */
function refused(status: number, what: string): Error {
  const message = `the service answered ${status} and ${what}`;
  return status >= 307 ? createNotExecuted(message, { status }) : new HttpError(message, { status, retryable: false });
}
