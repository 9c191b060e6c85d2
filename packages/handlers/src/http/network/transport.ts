import type { Headers } from "../request/headers.js";

/** One request as it goes out. */
export interface OutgoingRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: Uint8Array | undefined;
}

/** One answer as it came in. */
export interface RawAnswer {
  readonly status: number;
  readonly statusText: string;
  /** By their names in lower case. */
  readonly headers: { readonly [name: string]: string | string[] | undefined };
  /** Not yet decompressed, if `headers` says that it is compressed; `undefined` if it is larger than allowed. */
  readonly body: Buffer | undefined;
}

/** Methods of requests that have no effect. */
export const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/** When an exchange has to end. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** The end, as `performance.now()` counts. */
  readonly at: number;
  /** What the error of an exchange says that has run out of time. */
  readonly message: string;
}

/** Sends a request and reads the answer. Rejects with {@link NotExecuted} where nothing was sent. */
export type Transport = (request: OutgoingRequest, deadline: Deadline) => Promise<RawAnswer>;
