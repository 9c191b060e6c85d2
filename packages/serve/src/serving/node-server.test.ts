import { once } from "node:events";
import { connect, type AddressInfo, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createHttpServer, type TimeLimits } from "./node-server.js";

const SHORT = {
  headersTimeout: 700,
  requestTimeout: 1000,
  connectionsCheckingInterval: 50,
  keepAliveTimeout: 1000,
  stalledMs: 700,
};

/** Short limits except for reading: creating a large answer takes time. */
const STALLED: TimeLimits = { ...SHORT, headersTimeout: 10_000, requestTimeout: 10_000 };

/** More than the buffers of two sockets hold. */
const LARGE = new Uint8Array(16 * 1024 * 1024);

/** Starts a server with these limits, and connects to it. */
async function open(limits: TimeLimits): Promise<{
  readonly socket: Socket;
  readonly url: string;
  readonly sockets: () => Promise<number>;
}> {
  const answer = async (request: Request): Promise<Response> => {
    await request.text();
    return new Response(request.url.endsWith("/large") ? LARGE : "ok");
  };
  const server = createHttpServer(answer, () => undefined, limits);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  onTestFinished(() => {
    socket.destroy();
    server.close();
    server.closeAllConnections();
  });
  await once(socket, "connect");
  const sockets = () =>
    new Promise<number>((resolve, reject) =>
      server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
    );
  return { socket, url: `http://127.0.0.1:${port}/`, sockets };
}

/** Sends a text letter by letter until it is refused. */
function drip(socket: Socket, text: string): void {
  let sent = 0;
  const timer = setInterval(() => (socket.writable ? socket.write(text[sent++ % text.length] ?? "") : undefined), 20);
  socket.once("close", () => clearInterval(timer));
}

test.each<[what: string, slowly: (socket: Socket) => void, limits?: TimeLimits]>([
  [
    "drips headers",
    (socket) => {
      socket.write("POST / HTTP/1.1\r\nhost: localhost\r\nx-a: ");
      drip(socket, "a");
    },
  ],
  [
    "drips its body",
    (socket) => {
      socket.write("POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1000000\r\n\r\n");
      drip(socket, " ");
    },
  ],
  [
    "drips the chunks of its body",
    (socket) => {
      socket.write("POST / HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n");
      drip(socket, "1\r\n \r\n");
    },
  ],
  [
    "does not read its answer",
    (socket) => {
      socket.pause();
      socket.write("GET /large HTTP/1.1\r\nhost: localhost\r\n\r\n");
    },
    STALLED,
  ],
])("a client that %s loses its connection, and others are answered", async (_what, slowly, limits = SHORT) => {
  const { socket, url, sockets } = await open(limits);
  slowly(socket);
  expect(await (await fetch(url, { headers: { connection: "close" } })).text()).toBe("ok");
  await expect.poll(sockets, { timeout: 5000 }).toBe(0);
});

test("a client that reads slowly, but reads, gets all of its answer", async () => {
  const { socket } = await open(STALLED);
  socket.write("GET /large HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
  let bytes = 0;
  let pauses = 0;
  socket.on("data", (chunk) => {
    bytes += chunk.length;
    if (pauses++ % 64 !== 0) return;
    socket.pause();
    setTimeout(() => socket.resume(), 50);
  });
  await once(socket, "close");
  expect(bytes).toBeGreaterThan(LARGE.length);
});
