import type { ClientRequest, IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { type Resolver, createVettedClients, type Reach } from "./network/vetted-client.js";
import { isHttp } from "./network/transport.js";

interface PublicRequest {
  readonly method?: string | undefined;
  readonly headers?: unknown;
  readonly body?: unknown;
  readonly signal?: AbortSignal | null | undefined;
}

/** A `fetch` for public addresses. Made by {@link publicFetch}. */
export type PublicFetch = (url: string | URL, init?: PublicRequest) => Promise<Response>;

const WITHOUT_BODY: ReadonlySet<number> = new Set([101, 103, 204, 205, 304]);

/**
 * Creates a `fetch` for clients that bring their own protocol, such as those of MCP servers. It connects to public
 * addresses only, and follows no redirects, since headers may hold secrets. Answers are not decompressed. Rejects with
 * a `TypeError` for a URL that is not `http:` or `https:`.
 */
export function publicFetch({ resolve }: { readonly resolve?: Resolver } = {}): PublicFetch {
  return createVettedFetch({ resolve });
}

/** Like {@link publicFetch}, for a connection that may allow private addresses. */
export function createVettedFetch(reach: Reach): PublicFetch {
  const clientFor = createVettedClients(reach);
  return async (address, { method = "GET", headers, body, signal } = {}) => {
    const url = new URL(address);
    if (!isHttp(url)) throw new TypeError(`${url.protocol} is not a protocol for requests.`);
    signal?.throwIfAborted();
    const begin = await clientFor(url);
    const options = {
      method,
      headers: Object.fromEntries(new Headers(headers as Record<string, string>)),
      ...(signal != null && { signal }),
    };
    return answerTo(begin(options), body);
  };
}

function answerTo(request: ClientRequest, body: unknown): Promise<Response> {
  return new Promise((resolve, reject) => {
    request.once("error", reject);
    request.once("response", (response) => resolve(answerOf(response)));
    request.end(body ?? undefined);
  });
}

function answerOf(response: IncomingMessage): Response {
  const { statusCode: status = 0, statusMessage: statusText = "", headers } = response;
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((each): [string, string] => [name, each]),
  );
  if (WITHOUT_BODY.has(status)) response.resume();
  const body = WITHOUT_BODY.has(status) ? null : (Readable.toWeb(response) as ReadableStream<Uint8Array>);
  return new Response(body, { status, statusText, headers: pairs });
}
