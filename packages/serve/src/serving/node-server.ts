import { printThrown } from "@hasp/base/diagnostics";
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { readTarget } from "@hasp/base/declared";

/**
 * Creates a Node listener from a function of web requests. Reads the body on demand, aborts the request's signal when
 * the client leaves, and drops clients that read nothing for `stalledMs`.
 */
function nodeListener(
  answer: (request: Request) => Promise<Response>,
  report: (message: string) => void,
  stalledMs: number,
): RequestListener {
  return (incoming, outgoing) => {
    const gone = new AbortController();
    outgoing.once("close", () => {
      if (!outgoing.writableFinished) gone.abort();
    });
    void respond(incoming, outgoing, { signal: gone.signal, stalledMs }, answer).catch((error: unknown) => {
      if (!gone.signal.aborted) report(printThrown(error));
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(400).end();
    });
  };
}

async function respond(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { signal, stalledMs }: { readonly signal: AbortSignal; readonly stalledMs: number },
  answer: (request: Request) => Promise<Response>,
): Promise<void> {
  const target = readTarget(incoming.url);
  if (target === undefined) {
    outgoing.writeHead(400).end();
    return;
  }
  const response = await answer(toRequest(incoming, target, signal));
  if (outgoing.destroyed) return;
  for (const [name, value] of response.headers) outgoing.setHeader(name, value);
  outgoing.statusCode = response.status;
  if (response.body === null) {
    outgoing.end();
  } else if (response.headers.get("content-type")?.startsWith("text/event-stream") === true) {
    outgoing.flushHeaders();
    await pipeline(Readable.fromWeb(response.body as never), outgoing);
  } else {
    const bytes = Buffer.from(await response.arrayBuffer());
    outgoing.setTimeout(stalledMs, () => outgoing.destroy());
    outgoing.end(bytes);
  }
}

function toRequest(incoming: IncomingMessage, target: URL, signal: AbortSignal): Request {
  const { method = "GET", rawHeaders } = incoming;
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index] ?? "", rawHeaders[index + 1] ?? "");
  }
  const hasBody = method !== "GET" && method !== "HEAD";
  return new Request(target, {
    method,
    headers,
    signal,
    ...(hasBody && { body: bodyOf(incoming), duplex: "half" }),
  });
}

/** Streams the body. Stopping the reader stops the client, and still allows an answer. */
function bodyOf(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start(controller) {
      incoming.on("data", (chunk: Buffer) => {
        controller.enqueue(chunk);
        if ((controller.desiredSize ?? 0) <= 0) incoming.pause();
      });
      incoming.once("end", () => controller.close());
      incoming.once("error", (error) => controller.error(error));
      incoming.pause();
    },
    pull() {
      incoming.resume();
    },
    cancel() {
      incoming.removeAllListeners("data").removeAllListeners("end").pause();
    },
  });
}

/** Time limits for clients, in milliseconds. */
export interface TimeLimits {
  /** For a whole request, and for its headers alone. */
  readonly requestTimeout: number;
  readonly headersTimeout: number;
  /** The interval at which both limits are checked. */
  readonly connectionsCheckingInterval: number;
  readonly keepAliveTimeout: number;
  readonly stalledMs: number;
}

const TIME_LIMITS: TimeLimits = {
  requestTimeout: 30_000,
  headersTimeout: 10_000,
  connectionsCheckingInterval: 5000,
  // Longer than proxies and clients keep a connection: if the server closed first, a call could be lost.
  keepAliveTimeout: 75_000,
  stalledMs: 30_000,
};

/** Creates a server that answers by a function of web requests, whose failures it reports. */
export function createHttpServer(
  answer: (request: Request) => Promise<Response>,
  report: (message: string) => void,
  { stalledMs, ...timeouts }: TimeLimits = TIME_LIMITS,
): Server {
  return createServer(timeouts, nodeListener(answer, report, stalledMs));
}
