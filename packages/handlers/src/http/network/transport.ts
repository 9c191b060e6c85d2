import { dropUndefined } from "@hasp/base/json";
import type { Headers } from "../request/headers.js";
import { messageOf } from "@hasp/runtime/internal";
import { NotExecuted } from "@hasp/runtime";
import { PrivateAddress } from "./vetted-client.js";

export interface OutgoingRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: Uint8Array | undefined;
}

export interface RawAnswer {
  readonly status: number;
  readonly statusText: string;
  /** Names are in lower case. */
  readonly headers: { readonly [name: string]: string | string[] | undefined };
  readonly body: Buffer | undefined;
}

export const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

export interface Deadline {
  readonly signal: AbortSignal;
  /** A time of `performance.now()`. */
  readonly at: number;
  /** The error message once time has run out. */
  readonly message: string;
}

/** Sends a request and reads the answer. Rejects with {@link NotExecuted} if nothing was sent. */
export type Transport = (request: OutgoingRequest, deadline: Deadline) => Promise<RawAnswer>;

export interface FailureFacts {
  readonly status?: number | undefined;
  readonly retryable?: boolean | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly cause?: unknown;
}

export class HttpError extends Error {
  override readonly name = "HttpError";
  declare readonly status?: number;
  declare readonly retryable?: boolean;
  declare readonly retryAfterSeconds?: number;

  constructor(message: string, facts: FailureFacts = {}) {
    super(message);
    Object.assign(this, dropUndefined(facts));
  }
}

/** Creates the error of a call that had no effect. */
export function createNotExecuted(message: string, facts: FailureFacts = {}): NotExecuted {
  return Object.assign(new NotExecuted(message), dropUndefined(facts));
}

const PASSING: ReadonlySet<string> = new Set([
  "EAI_AGAIN",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EPIPE",
  "ETIMEDOUT",
]);

/** Creates the error of a broken exchange. If nothing was sent, the call had no effect. */
export function createConnectionFailure(thrown: unknown, wasSent: boolean): Error {
  const { code } = Object(thrown) as { readonly code?: unknown };
  const reason = thrown instanceof PrivateAddress ? thrown.message : reasonOf(thrown, code);
  const facts: FailureFacts = { retryable: typeof code === "string" && PASSING.has(code) };
  return wasSent
    ? new HttpError(`the connection failed before the whole answer arrived: ${reason}`, facts)
    : createNotExecuted(reason, facts);
}

function reasonOf(thrown: unknown, code: unknown): string {
  const { message, syscall } = Object(thrown) as { readonly message?: unknown; readonly syscall?: unknown };
  const isOfSystem = message === "" || syscall !== undefined;
  return isOfSystem && typeof code === "string" ? `it could not connect (${code})` : messageOf(thrown);
}

export function isHttp(url: URL): boolean {
  return url.protocol === "http:" || url.protocol === "https:";
}
