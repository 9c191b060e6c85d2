import { printThrown } from "@hasp/base/diagnostics";
import { MEGABYTE, MEGABYTES_LIMIT } from "@hasp/compiler/source";
import { readErrorCode } from "./fs/entries.js";

export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host === "[::1]" || /^127(?:\.\d{1,3}){3}$/u.test(host);
}

/** Reads an address that may receive secrets: https, or this machine. `undefined` for any other. */
export function secureAddress(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url.hostname)) ? url : undefined;
}

/** Fetches like the platform. An answer that exceeds hasp's limit ends with an error. */
export async function boundedFetch(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  if (response.body === null) return response;
  let size = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      size += chunk.byteLength;
      if (size > MEGABYTES_LIMIT * MEGABYTE) {
        controller.error(new Error(`its answer has more than ${MEGABYTES_LIMIT} MB`));
      } else controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(counter), { status, statusText, headers });
}

/** Explains a failed `fetch`, to follow the host's name: `cannot be reached (ECONNREFUSED)`. `undefined` for others. */
export function networkFailure(error: unknown): string | undefined {
  if (error instanceof DOMException && error.name === "TimeoutError") return "does not answer in time";
  if (!(error instanceof TypeError) || error.cause === undefined) return undefined;
  return `cannot be reached (${readErrorCode(error.cause) ?? printThrown(error.cause)})`;
}
