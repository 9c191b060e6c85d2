import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { createAsk } from "./ask.js";

const silent = (): void => undefined;

test.each([
  ["never answers", silent],
  ["never ends its answer", (drip: () => void) => void setInterval(drip, 5).unref()],
])("a server that %s is left after the time limit", async (_, answer) => {
  const server = createServer((_request, response) => answer(() => response.write(" ")));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const ask = createAsk({
    endpoint: { path: "/chat", headers: {}, needsKey: false, body: {} },
    base: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    model: "m",
    key: undefined,
    allowPrivateAddresses: true,
    timeoutMs: 50,
  });
  expect(await ask([])).toEqual({ kind: "none", reason: "it did not answer within 0.05 seconds" });
  server.closeAllConnections();
  server.close();
});

test("an address inside the own network is not asked unless the user has named it", async () => {
  const ask = createAsk({
    endpoint: { path: "/chat", headers: {}, needsKey: false, body: {} },
    base: new URL("https://10.0.0.1"),
    model: "m",
    key: undefined,
    allowPrivateAddresses: false,
    timeoutMs: 50,
  });
  expect(await ask([])).toMatchObject({
    kind: "none",
    reason: expect.stringContaining("an address that is not public"),
  });
});
