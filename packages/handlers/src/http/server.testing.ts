import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { ExecutionOptions } from "@hasp/runtime";

/** A request as a server got it. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

/** A server on loopback that answers by the listener, and what it has received. */
export interface TestServer {
  readonly origin: string;
  readonly port: number;
  readonly received: Received[];
  answer: RequestListener;
  /** Forgets what was received, and answers as at first. */
  reset(): void;
  close(): Promise<void>;
}

const answerOk: RequestListener = (_request, response) => {
  response.setHeader("content-type", "application/json");
  response.end('{"ok":true}');
};

/** Starts a server that answers `{ "ok": true }` until `answer` is set. */
export async function startServer(): Promise<TestServer> {
  const received: Received[] = [];
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      received.push({ method, url, headers, body: Buffer.concat(chunks) });
      test.answer(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const test: TestServer = {
    origin: `http://127.0.0.1:${port}`,
    port,
    received,
    answer: answerOk,
    reset: () => {
      received.length = 0;
      test.answer = answerOk;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return test;
}

/** What a handler gets beside its input. */
export function options<Context>(parts: Partial<ExecutionOptions<Context>> = {}): ExecutionOptions<Context> {
  return {
    signal: new AbortController().signal,
    callId: "1",
    idempotencyKey: "key-1",
    class: "UNSAFE",
    progress: () => undefined,
    dispatch: async () => [],
    context: undefined as Context,
    ...parts,
  };
}

/** What a handler returns, or what it throws, as one object. */
export async function outcomeOf(pending: Promise<object>): Promise<Record<string, unknown>> {
  try {
    return { ...(await pending) };
  } catch (error) {
    const { name, message, ...facts } = error as Error;
    return { threw: name, message, ...facts };
  }
}
