import { untilAborted } from "@hasp/runtime/internal";
import {
  createConnectionFailure,
  HttpError,
  type OutgoingRequest,
  type RawAnswer,
  type Transport,
} from "./transport.js";

/** Sends requests through the host's function, which may connect anywhere: no address is vetted. */
export function fetchTransport(fetch: FetchFunction, maxBytes: number): Transport {
  return async (request, { signal, at, message }) => {
    const late = new AbortController();
    const timer = setTimeout(
      () => late.abort(new HttpError(message, { retryable: true })),
      Math.max(0, at - performance.now()),
    );
    const ending = AbortSignal.any([signal, late.signal]);
    try {
      return await untilAborted(exchange(fetch, request, ending, maxBytes), ending);
    } catch (error) {
      throw ending.aborted ? error : createConnectionFailure(error, true);
    } finally {
      clearTimeout(timer);
    }
  };
}

async function exchange(
  fetch: FetchFunction,
  { method, url, headers, body: sent }: OutgoingRequest,
  signal: AbortSignal,
  maxBytes: number,
): Promise<RawAnswer> {
  const init = { method, headers, redirect: "manual", signal } as const;
  const response = await fetch(url.href, sent === undefined ? init : { ...init, body: sent });
  const reader = response.body?.getReader();
  const body = reader === undefined ? Buffer.alloc(0) : await readAll(reader, maxBytes);
  const received: Record<string, string> = {};
  response.headers.forEach((value, name) => {
    // The platform has already decompressed the body.
    if (name !== "content-encoding") received[name] = value;
  });
  const { status, statusText } = response;
  return { status, statusText, headers: received, body };
}

async function readAll(reader: BodyReader, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  for (let size = 0; ;) {
    const { done, value } = await reader.read();
    if (done || value === undefined) return Buffer.concat(chunks);
    chunks.push(value);
    size += value.length;
    if (size > maxBytes) {
      await reader.cancel();
      return undefined;
    }
  }
}

export type FetchFunction = (
  url: string,
  init: {
    readonly method: string;
    readonly headers: Record<string, string>;
    readonly body?: Uint8Array;
    readonly redirect: "manual";
    readonly signal: AbortSignal;
  },
) => Promise<FetchedResponse>;

interface FetchedResponse {
  readonly status: number;
  readonly statusText: string;
  readonly headers: { forEach(callback: (value: string, name: string) => void): void };
  readonly body: { getReader(): BodyReader } | null;
}

interface BodyReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
}
