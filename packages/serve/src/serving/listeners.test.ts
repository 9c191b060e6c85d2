import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { connect, type AddressInfo } from "node:net";
import { join, resolve, sep } from "node:path";
import { startLogin, type TokenStore } from "@hasp/handlers/oauth";
import { createMcpHandler } from "@hasp/mcp";
import { createAnswerHandler } from "@hasp/stores/answer-links";
import { expect, onTestFinished, test } from "vitest";
import { createHttpServer } from "./node-server.js";

const packages = resolve(import.meta.dirname, "../../..");

/** Listens on a free port with a function of web requests. */
async function serve(answer: (request: Request) => Promise<Response>): Promise<number> {
  const server = createHttpServer(answer, () => undefined);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

/** Starts a login in a browser, and returns the port to which the browser comes back. */
async function beginLogin(): Promise<number> {
  const end = new AbortController();
  onTestFinished(() => end.abort());
  const store = { exclusively: async () => undefined } as unknown as TokenStore;
  const { request } = await startLogin(
    {
      name: "orders-api",
      flow: "authorizationCode",
      clientId: "hasp",
      authorizationUrl: "https://login.example.com/authorize",
      tokenUrl: "https://login.example.com/token",
      baseUrl: "https://api.example.com",
    },
    { store, signal: end.signal },
  );
  return Number(new URL(new URL(request.url).searchParams.get("redirect_uri") ?? "").port);
}

interface Listener {
  readonly start: () => Promise<number>;
  /** A request that is answered as usual, and the status of that answer. */
  readonly usual: readonly [line: string, status: number];
}

/** Starts each listener of the packages, by the module that listens; `node-server.ts` has the two that it serves. */
const LISTENERS: { readonly [module: string]: readonly Listener[] } = {
  "handlers/src/oauth/log-in.ts": [{ start: beginLogin, usual: ["GET /callback?state=of-another HTTP/1.1", 404] }],
  "serve/src/serving/node-server.ts": [
    { start: () => serve(createMcpHandler([])), usual: ["GET /mcp HTTP/1.1", 405] },
    {
      start: () => serve(createAnswerHandler({ turns: {} as never, secret: "s".repeat(32) })),
      usual: ["GET /?answer=no-link HTTP/1.1", 403],
    },
  ],
};

/** Sends a request line, and returns what the server answers until it ends the connection. */
async function send(port: number, line: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  let text = "";
  socket.on("data", (chunk) => (text += chunk.toString("latin1")));
  socket.on("error", () => undefined);
  socket.write(`${line}\r\nhost: localhost\r\nconnection: close\r\n\r\n`, "latin1");
  await once(socket, "close");
  return text;
}

const LINES = [
  "GET // HTTP/1.1",
  "GET /// HTTP/1.1",
  "GET //other.example/callback HTTP/1.1",
  "GET /\\\\other.example HTTP/1.1",
  "GET http://other.example/callback HTTP/1.1",
  "GET http://user:secret@[::1]:99999/ HTTP/1.1",
  "GET https:// HTTP/1.1",
  "GET ftp://other.example/ HTTP/1.1",
  "GET * HTTP/1.1",
  "OPTIONS * HTTP/1.1",
  "GET ? HTTP/1.1",
  "GET /?%=%&state=%ff%00 HTTP/1.1",
  "GET /callback?state=%F0%9F HTTP/1.1",
  `GET /${"%".repeat(8192)} HTTP/1.1`,
  `GET /?answer=${"%".repeat(8192)} HTTP/1.1`,
  "GET /\u00ff\u00fe HTTP/1.1",
  "TRACE / HTTP/1.1",
  "CONNECT other.example:443 HTTP/1.1",
  "POST // HTTP/1.1",
  "GET // HTTP/1.0",
  "GET //",
  "nonsense",
];

test.each(Object.values(LISTENERS).flat())(
  "a listener refuses every request line that makes no sense to it, and answers the next request: $usual.0",
  async ({ start, usual: [line, status] }) => {
    const port = await start();
    for (const strange of LINES) {
      const answer = await send(port, strange);
      // Node itself closes the connection of a client that uses the server as a proxy.
      expect(answer, strange).toMatch(strange.startsWith("CONNECT") ? /^$/u : /^HTTP\/1\.1 4\d\d /u);
      expect(await send(port, line), `after ${strange}`).toContain(`HTTP/1.1 ${status} `);
    }
  },
);

test("no other module of the packages listens, and none reads the target of a request in its own way", () => {
  const sources = readdirSync(packages).flatMap((name) =>
    readdirSync(join(packages, name, "src"), { recursive: true, encoding: "utf8" })
      .filter((path) => /(?<!\.test|\.testing|\.d)\.ts$/u.test(path))
      .map((path) => ({
        path: [name, "src", ...path.split(sep)].join("/"),
        code: readFileSync(join(packages, name, "src", path), "utf8"),
      })),
  );
  const listening = sources.filter(
    ({ code }) => /\bfrom "node:http2?s?"/u.test(code) && /\bcreateServer\(/u.test(code),
  );
  expect(listening.map(({ path }) => path).toSorted()).toEqual(Object.keys(LISTENERS).toSorted());
  for (const { path, code } of listening) expect([path, /new URL\([^")]*\burl\b/u.exec(code)]).toEqual([path, null]);
});
