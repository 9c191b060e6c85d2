import type { IncomingMessage } from "node:http";
import {
  createConnectionFailure,
  HttpError,
  createNotExecuted,
  SAFE_METHODS,
  type Deadline,
  type OutgoingRequest,
  type RawAnswer,
  type Transport,
} from "./transport.js";
import { createVettedClients, type Reach, type VettedRequest } from "./vetted-client.js";

interface NodeTransportOptions extends Reach {
  readonly maxBytes: number;
}

/** Sends requests through `node:http` and `node:https`. Every address is vetted. */
export function createNodeTransport({ maxBytes, ...reach }: NodeTransportOptions): Transport {
  const clientFor = createVettedClients(reach);
  return async (request, deadline) => {
    const begin = await clientFor(request.url).catch((error: unknown) => {
      throw createConnectionFailure(error, false);
    });
    return exchange(begin, request, deadline, maxBytes, SAFE_METHODS.has(request.method));
  };
}

/** Sends one request. If the server has just closed a kept connection, a request without an effect is sent again. */
function exchange(
  begin: VettedRequest,
  outgoing: OutgoingRequest,
  deadline: Deadline,
  maxBytes: number,
  mayRepeat: boolean,
): Promise<RawAnswer> {
  const { signal } = deadline;
  if (signal.aborted) return Promise.reject(createNotExecuted("it was stopped before the request was sent"));
  return new Promise((resolve, reject) => {
    const { method, url, headers, body } = outgoing;
    const request = begin({ method, headers: { ...headers, host: url.host } });
    let isOver = false;
    let wasSent = false;
    const finish = (settle: () => void): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      settle();
    };
    const stop = (error: Error): void => {
      finish(() => reject(error));
      request.destroy();
    };
    const fail = (error: unknown): void => {
      if (mayRepeat && request.reusedSocket && Object(error).code === "ECONNRESET") {
        finish(() => resolve(exchange(begin, outgoing, deadline, maxBytes, false)));
      } else finish(() => reject(createConnectionFailure(error, wasSent)));
    };
    const onAbort = (): void => {
      stop(wasSent ? (signal.reason as Error) : createNotExecuted("it was stopped before the request was sent"));
    };
    const onTimeout = (): void => {
      const facts = { retryable: true };
      stop(wasSent ? new HttpError(deadline.message, facts) : createNotExecuted(deadline.message, facts));
    };
    const timer = setTimeout(onTimeout, Math.max(0, deadline.at - performance.now()));
    signal.addEventListener("abort", onAbort, { once: true });
    request.once("socket", (socket) => {
      if (request.reusedSocket) wasSent = true;
      else socket.once(url.protocol === "https:" ? "secureConnect" : "connect", () => (wasSent = true));
    });
    request.on("error", fail);
    request.once("response", (response) =>
      readAnswer(response, method === "HEAD" ? Infinity : maxBytes, fail, (answer) => {
        finish(() => resolve(answer));
        if (answer.body === undefined) request.destroy();
      }),
    );
    request.end(body);
  });
}

function readAnswer(
  response: IncomingMessage,
  maxBytes: number,
  fail: (error: unknown) => void,
  done: (answer: RawAnswer) => void,
): void {
  const { headers, statusCode: status = 0, statusMessage: statusText = "" } = response;
  const chunks: Buffer[] = [];
  let size = 0;
  const take = (length: number): void => {
    size += length;
    if (size > maxBytes) done({ status, statusText, headers, body: undefined });
  };
  response.on("error", fail);
  response.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    take(chunk.length);
  });
  response.on("end", () => {
    const [first] = chunks;
    const body = chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks);
    if (response.complete) done({ status, statusText, headers, body });
    else fail(Object.assign(new Error("it ended too early"), { code: "ECONNRESET" }));
  });
  if (Number(headers["content-length"]) > maxBytes) take(Infinity);
}
