import { once } from "node:events";
import { createServer as createTcpServer, type AddressInfo, type Socket } from "node:net";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { httpConnection, httpHandler, type HttpConnectionOptions, type HttpDeclaration } from "./index.js";
import { options, settleAsObject, startServer, type TestServer } from "./server.testing.js";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());
beforeEach(() => server.reset());

const call = (
  parts: Partial<HttpConnectionOptions> = {},
  method: HttpDeclaration<unknown, unknown>["method"] = "POST",
  more: Parameters<typeof options>[0] = {},
): Promise<Record<string, unknown>> => {
  const connection = httpConnection({
    name: "api",
    baseUrl: server.origin,
    allowPrivateAddresses: true,
    maxResponseMb: 1,
    timeoutSeconds: 0.3,
    ...parts,
  });
  return settleAsObject(httpHandler(connection, { method, path: "/a" })({}, options(more)));
};
const text = (part: string): string => expect.stringContaining(part) as string;
const json = { "content-type": "application/json" };
const BOMB = Buffer.alloc(50_000_000);

test.each<[string, TestServer["answer"], object]>([
  ["hangs", () => undefined, { threw: "HttpError", message: text("within 0.3 s"), retryable: true }],
  [
    "drips",
    (_request, response) => {
      response.writeHead(200, json);
      const timer = setInterval(() => response.write(" "), 20);
      response.on("close", () => clearInterval(timer));
    },
    { threw: "HttpError", message: text("within 0.3 s"), retryable: true },
  ],
  [
    "says that it sends 2 GB",
    (_request, response) => {
      response.writeHead(200, { ...json, "content-length": String(2 ** 31) });
      response.write("[");
    },
    { isError: true, content: text("larger than 1 MB"), effect: "landed" },
  ],
  [
    "sends without end",
    (_request, response) => {
      response.writeHead(200, json);
      const chunk = Buffer.alloc(65_536, " ");
      const more = (): void => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on("drain", more);
      more();
    },
    { isError: true, content: text("larger than 1 MB"), effect: "landed" },
  ],
  [
    "sends an error without end",
    (_request, response) => {
      response.writeHead(500, json);
      response.end(Buffer.alloc(2_000_000, "x"));
    },
    { isError: true, content: "api answered 500 Internal Server Error.", effect: "unknown" },
  ],
  ...(
    [
      ["gzip", gzipSync(BOMB)],
      ["br", brotliCompressSync(BOMB)],
      ["gzip, gzip", gzipSync(gzipSync(BOMB))],
    ] as const
  ).map(([encoding, bomb]): [string, TestServer["answer"], object] => [
    `sends a bomb in ${encoding}`,
    (_request, response) => {
      response.writeHead(200, { ...json, "content-encoding": encoding });
      response.end(bomb);
    },
    { isError: true, content: text("larger than 1 MB"), effect: "landed" },
  ]),
  [
    "sends half of what it compressed",
    (_request, response) => {
      response.writeHead(200, { ...json, "content-encoding": "gzip" });
      response.end(gzipSync("[1,2,3]").subarray(0, 20));
    },
    { isError: true, content: text("corrupt"), effect: "landed" },
  ],
  [
    "compresses in an unknown way",
    (_request, response) => {
      response.writeHead(200, { ...json, "content-encoding": "constructor" });
      response.end("[1]");
    },
    { isError: true, content: text("not requested"), effect: "landed" },
  ],
  [
    "cuts JSON off",
    (_request, response) => {
      response.writeHead(200, json);
      response.end('{"a":[1,2');
    },
    { isError: true, content: text("not complete, valid JSON"), effect: "landed" },
  ],
  [
    "says that HTML is JSON",
    (_request, response) => {
      response.writeHead(200, json);
      response.end("<html>");
    },
    { isError: true, content: text("not complete, valid JSON"), effect: "landed" },
  ],
  [
    "ends before its length",
    (_request, response) => {
      response.writeHead(200, { ...json, "content-length": "100" });
      response.write("[1");
      setTimeout(() => response.destroy(), 20);
    },
    { threw: "HttpError", message: text("before the whole answer arrived"), retryable: true },
  ],
  ["closes at once", (_request, response) => response.destroy(), { threw: "HttpError", retryable: true }],
])("survives a service that %s", async (_name, answer, expected) => {
  server.answer = answer;
  expect(await call()).toMatchObject(expected);
});

/** Calls a server that answers each connection with these bytes. */
async function callRaw(bytes: string): Promise<Record<string, unknown>> {
  const sockets: Socket[] = [];
  const raw = createTcpServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => undefined);
    socket.once("data", () => socket.end(bytes));
  });
  raw.listen(0, "127.0.0.1");
  await once(raw, "listening");
  const result = await call({ baseUrl: `http://127.0.0.1:${(raw.address() as AddressInfo).port}` });
  for (const socket of sockets) socket.destroy();
  raw.close();
  return result;
}

test.each([
  ["no HTTP", "SSH-2.0-OpenSSH\r\n"],
  ["a broken header", "HTTP/1.1 200 OK\r\nA b\0: c\r\n\r\n"],
  ["headers without end", `HTTP/1.1 200 OK\r\n${"X-A: b\r\n".repeat(20_000)}\r\n`],
  ["two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"],
  ["another protocol", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"],
])("survives a service that speaks %s", async (_name, bytes) => {
  expect(await callRaw(bytes)).toMatchObject({ threw: "HttpError" });
});

test("an unreachable service was not called", async () => {
  const gone = await startServer();
  await gone.close();
  expect(await call({ baseUrl: gone.origin })).toMatchObject({ threw: "NotExecuted", retryable: true });
  expect(await call({ baseUrl: server.origin.replace("http", "https") })).toMatchObject({ threw: "NotExecuted" });
});

test("an abort ends a call at once; its effect depends on its progress", async () => {
  server.answer = () => undefined;
  const controller = new AbortController();
  const pending = call({ timeoutSeconds: 60 }, "POST", { signal: controller.signal });
  while (server.received.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  controller.abort(new Error("stopped by the user"));
  expect(await pending).toMatchObject({ threw: "Error", message: "stopped by the user" });
  expect(await call({}, "POST", { signal: controller.signal })).toMatchObject({ threw: "NotExecuted" });
});

test("replaces a connection that the server closed if the request has no effect", async () => {
  const connection = httpConnection({ name: "api", baseUrl: server.origin, allowPrivateAddresses: true });
  const get = httpHandler(connection, { method: "GET", path: "/a" });
  expect(await settleAsObject(get({}, options()))).toMatchObject({ output: { ok: true } });
  let dropped = 0;
  server.answer = (_request, response) => {
    if ((dropped += 1) === 1) response.destroy();
    else response.end("again");
  };
  expect(await settleAsObject(get({}, options()))).toMatchObject({ content: "again" });
});
