import type { Headers } from "../request/headers.js";

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
  /** Still compressed if `headers` say so; `undefined` if it exceeds the limit. */
  readonly body: Buffer | undefined;
}

/** Methods without an effect. */
export const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/** The end of an exchange. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** In the time of `performance.now()`. */
  readonly at: number;
  /** The error message once time has run out. */
  readonly message: string;
}

/** Sends a request and reads the answer. Rejects with {@link NotExecuted} if nothing was sent. */
export type Transport = (request: OutgoingRequest, deadline: Deadline) => Promise<RawAnswer>;
