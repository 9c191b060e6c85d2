import { readProperty } from "../../tool/callback.js";

/** Error codes of transient failures of Node, of undici and of Postgres (`08…` is its class of lost connections). */
const TRANSIENT_CODES: ReadonlySet<string> = /* @__PURE__ */ new Set([
  "EAI_AGAIN",
  "ECONNABORTED",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETDOWN",
  "ENETRESET",
  "ENETUNREACH",
  "EPIPE",
  "ETIMEDOUT",
  // The client behind Node's `fetch`.
  "UND_ERR_BODY_TIMEOUT",
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_SOCKET",
  // A serialization failure, a deadlock, a lock that is not available, a server that shuts down.
  "40001",
  "40P01",
  "55P03",
  "57P01",
]);
const POSTGRES_CONNECTION = /^08[0-9A-Z]{3}$/;

const TRANSIENT_STATUS: ReadonlySet<unknown> = /* @__PURE__ */ new Set([429, 502, 503, 504]);

/** The longest chain of causes to follow; it may be circular. */
const MOST_CAUSES = 8;

/** True if an error deserves another attempt: by its `retryable`, or the table of transient errors. */
export function deservesRetry(thrown: unknown): boolean {
  for (let error = thrown, depth = 0; error !== undefined && depth < MOST_CAUSES; depth += 1) {
    const stated = readProperty(error, "retryable");
    if (typeof stated === "boolean") return stated;
    if (isTransient(error)) return true;
    error = readProperty(error, "cause");
  }
  return false;
}

export const LONGEST_WAIT_SECONDS = 60;

/** Returns the seconds to wait that the service behind a handler asked for: `retryAfterSeconds` of its error, or 0. */
export function readWaitSeconds(thrown: unknown): number {
  const seconds = readProperty(thrown, "retryAfterSeconds");
  return typeof seconds === "number" && seconds > 0 ? seconds : 0;
}

function isTransient(error: unknown): boolean {
  const code = readProperty(error, "code");
  if (typeof code === "string" && (TRANSIENT_CODES.has(code) || POSTGRES_CONNECTION.test(code))) return true;
  const status =
    readProperty(error, "status") ??
    readProperty(error, "statusCode") ??
    readProperty(readProperty(error, "response"), "status");
  return TRANSIENT_STATUS.has(status);
}
