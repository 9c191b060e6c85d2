import type { CallOptions } from "@hasp/runtime";
import { answerNow } from "../../../runtime/src/tool/callback.js";
import { readCredentials, type Credentials } from "./auth.js";
import { writeBody } from "./request/body.js";
import type { WrittenBody } from "./request/bytes.js";
import type { CallProgress, ConnectionSettings } from "./settings.js";
import { setHeader, writeHeaders, type Headers } from "./request/headers.js";
import { type NextPage, withCursor } from "./pagination.js";
import { sendFollowing } from "./redirect.js";
import type { HttpDeclaration, HttpRequest } from "./request/http-request.js";
import { fillPath, joinPairs, writeCookies, writeQuery, type PathTemplate } from "./request/target.js";
import type { Deadline, OutgoingRequest, RawAnswer } from "./network/transport.js";

/** The parts of a request that need no secrets. */
export interface PreparedRequest {
  readonly declaration: HttpDeclaration<never, never>;
  readonly parts: HttpRequest;
  readonly path: string;
  readonly headers: Headers;
  readonly body: WrittenBody | undefined;
}

/** Prepares everything that depends on the input. Throws {@link NotExecuted} for values that cannot be sent. */
export function prepare<Input, Context>(
  declaration: HttpDeclaration<Input, Context>,
  template: PathTemplate,
  prefix: string,
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
  return { declaration, parts, path: prefix + fillPath(template, parts.path, styles.path), headers, body };
}

function complete(
  { declaration: { method, styles = {} }, parts, path, headers, body }: PreparedRequest,
  { origin }: ConnectionSettings<never>,
  credentials: Credentials,
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

/** Adds the connection's own parameters, which the service's next URL may leave out. */
function withCredentials(url: URL, { query }: Credentials): URL {
  const missing = query.filter(([name]) => !url.searchParams.has(decodeURIComponent(name)));
  if (missing.length === 0) return url;
  const next = new URL(url);
  next.search = [next.search.slice(1), joinPairs(missing, "&")].filter((part) => part !== "").join("&");
  return next;
}

interface Answered {
  readonly answer: RawAnswer;
  readonly url: URL;
}

/**
 * Sends one request. Renews refused credentials once if they can be renewed: a service that answers 401 has done
 * nothing. Each secret in use is noted before anything is sent.
 */
export async function send(
  prepared: PreparedRequest,
  settings: ConnectionSettings<never>,
  { context, signal }: { readonly context: unknown; readonly signal: AbortSignal },
  progress: CallProgress,
  page: NextPage | undefined,
): Promise<Answered> {
  const { timeoutSeconds, isLenient } = settings;
  const { secrets } = progress;
  const scope = { context, signal, secrets, isLenient, timeoutMs: timeoutSeconds * 1000 };
  const deadline: Deadline = {
    signal,
    at: performance.now() + timeoutSeconds * 1000,
    message: `the service did not answer within ${timeoutSeconds} s`,
  };
  for (let isRenewed = false; ; isRenewed = true) {
    const credentials = await readCredentials(settings.auth, scope);
    const outgoing = complete(prepared, settings, credentials, page);
    const answer = await sendFollowing(settings, outgoing, credentials, deadline, progress);
    if (answer.status !== 401 || isRenewed || !credentials.refused()) return { answer, url: outgoing.url };
  }
}
