import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { ExecutionOptions } from "@hasp/runtime";

interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

/** A loopback server that records its requests. */
export interface TestServer {
  readonly origin: string;
  readonly port: number;
  readonly received: Received[];
  answer: RequestListener;
  /** Forgets the requests and restores the first answer. */
  reset(): void;
  close(): Promise<void>;
}

const answerOk: RequestListener = (_request, response) => {
  response.setHeader("content-type", "application/json");
  response.end('{"ok":true}');
};

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

/** Creates the second argument of a handler from defaults and these parts. */
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

/** Returns the result of a handler, or the error it throws, as one object. */
export async function settleAsObject(pending: Promise<object>): Promise<Record<string, unknown>> {
  try {
    return { ...(await pending) };
  } catch (error) {
    const { name, message, ...facts } = error as Error;
    return { threw: name, message, ...facts };
  }
}
