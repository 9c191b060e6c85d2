import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { httpConnection, httpHandler, type HttpConnectionOptions, type HttpDeclaration } from "./index.js";
import { options, startServer, type TestServer } from "./server.testing.js";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());
const echo = (): TestServer["answer"] => (_request, response) => {
  response.setHeader("content-type", "application/json");
  response.end('{"ok":true}');
};
beforeEach(() => {
  server.received.length = 0;
  server.answer = echo();
});
afterEach(() => vi.unstubAllEnvs());

/** A connection to the server above. */
const connect = (parts: Partial<HttpConnectionOptions<never>> = {}) =>
  httpConnection<never>({ name: "orders-api", baseUrl: server.origin, allowPrivateAddresses: true, ...parts });

const get = { method: "GET", path: "/orders" } as const;

/** Calls a handler once and gives what it returns, or what it throws. */
async function call(
  declaration: HttpDeclaration<never, never> = get,
  connection = connect(),
  parts: Parameters<typeof options>[0] = {},
): Promise<Record<string, unknown>> {
  try {
    return { ...(await httpHandler(connection, declaration)(undefined as never, options(parts) as never)) };
  } catch (error) {
    const { name, message, ...facts } = error as Error;
    return { threw: name, message, ...facts };
  }
}

/** Answers with this body and these headers. */
function answer(status: number, body: string | Buffer = "", headers: Record<string, string> = {}): void {
  server.answer = (_request, response) => {
    response.writeHead(status, headers);
    response.end(body);
  };
}
const json = { "content-type": "application/json" };

test("a call sends what the declaration says and answers with the JSON of the service", async () => {
  vi.stubEnv("ORDERS_TOKEN", "t0ken-1");
  answer(200, '{"items":[{"id":7}],"total":1}', json);
  const connection = connect({ baseUrl: `${server.origin}/v2/`, auth: { bearer: { env: "ORDERS_TOKEN" } } });
  const result = await call(
    {
      method: "POST",
      path: "/customers/{customerId}/orders",
      request: () => ({
        path: { customerId: "a b" },
        query: { limit: 5, status: ["new", "paid"], none: undefined },
        headers: { "X-Trace": "t-1" },
        cookies: { session: "s 1" },
        body: { json: { name: "Ada" } },
      }),
      result: "/items",
      idempotencyHeader: "Idempotency-Key",
    },
    connection,
  );
  expect(result).toMatchObject({ output: [{ id: 7 }], details: { status: 200 } });
  const [request] = server.received;
  expect(request).toMatchObject({
    method: "POST",
    url: "/v2/customers/a%20b/orders?limit=5&status=new&status=paid",
    headers: {
      host: `127.0.0.1:${server.port}`,
      authorization: "Bearer t0ken-1",
      "x-trace": "t-1",
      cookie: "session=s%201",
      "content-type": "application/json",
      "content-length": "14",
      "idempotency-key": "key-1",
    },
  });
  expect(request?.body.toString()).toBe('{"name":"Ada"}');
});

describe("answers", () => {
  test.each([
    ["JSON", 200, '{"a":1}', json, { output: { a: 1 } }],
    ["JSON of another name", 200, "[1]", { "content-type": "application/hal+json; charset=utf-8" }, { output: [1] }],
    ["nothing", 204, "", {}, { output: null }],
    ["text", 200, "hello", { "content-type": "text/plain" }, { content: "hello" }],
    ["text of no type", 200, "hello", {}, { content: "hello" }],
    [
      "text in Latin-1",
      200,
      Buffer.from("é", "latin1"),
      { "content-type": "text/plain; charset=iso-8859-1" },
      { content: "é" },
    ],
    [
      "large integers",
      200,
      '{"id":12345678901234567890,"n":1.5}',
      json,
      { output: { id: "12345678901234567890", n: 1.5 } },
    ],
    [
      "bytes",
      200,
      Buffer.from([0, 255]),
      { "content-type": "image/png" },
      { content: [{ type: "resource", uri: "orders-api:/orders", mimeType: "image/png", blob: "AP8=" }] },
    ],
  ])("%s", async (_name, status, body, headers, expected) => {
    answer(status, body, headers);
    expect(await call()).toMatchObject(expected);
  });

  test.each([
    ["gzip", gzipSync],
    ["x-gzip", gzipSync],
    ["deflate", deflateSync],
    ["deflate", deflateRawSync],
    ["br", brotliCompressSync],
  ] as const)("compressed with %s", async (encoding, compress) => {
    answer(200, compress('{"a":1}'), { ...json, "content-encoding": encoding });
    expect(await call()).toMatchObject({ output: { a: 1 } });
  });
});
