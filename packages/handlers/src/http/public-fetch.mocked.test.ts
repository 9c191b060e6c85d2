import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { publicFetch } from "./index.js";

// The server of this test counts as public.
vi.mock("@hasp/base/declared", async (importOriginal) => ({
  ...(await importOriginal<typeof import("@hasp/base/declared")>()),
  isPublicAddress: () => true,
}));

let server: Server;
let origin: string;
let goOn: () => void;
beforeAll(async () => {
  server = createServer(async (request, response) => {
    if (request.url === "/moved") return void response.writeHead(302, { location: `${origin}/elsewhere` }).end();
    if (request.url === "/accepted") return void response.writeHead(204).end();
    let body = "";
    for await (const chunk of request) body += String(chunk);
    response.writeHead(200, { "content-type": "text/event-stream", "set-cookie": ["a=1", "b=2"] });
    response.write(`${request.method} ${request.headers["x-trace"]} ${body}\n`);
    await new Promise<void>((resolve) => (goOn = resolve));
    response.end("the end");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

test("sends a request, and passes the answer on as it arrives", async () => {
  const headers = new Headers({ "X-Trace": "t1" });
  const response = await publicFetch()(`${origin}/mcp`, { method: "POST", headers, body: '{"id":1}' });
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const text = async () => new TextDecoder().decode((await reader.read()).value);
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
  expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  expect(await text()).toBe('POST t1 {"id":1}\n');
  goOn();
  expect(await text()).toBe("the end");
});

test("does not follow a redirect, and accepts answers without a body", async () => {
  const moved = await publicFetch()(`${origin}/moved`);
  expect([moved.status, moved.headers.get("location")]).toEqual([302, `${origin}/elsewhere`]);
  const accepted = await publicFetch()(`${origin}/accepted`);
  expect([accepted.status, await accepted.text()]).toEqual([204, ""]);
});

test("fails an answer that breaks off", async () => {
  const controller = new AbortController();
  const response = await publicFetch()(origin, { signal: controller.signal });
  const rest = response.text();
  controller.abort();
  await expect(rest).rejects.toThrow("abort");
});
