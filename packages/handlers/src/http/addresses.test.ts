import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { httpConnection, httpHandler, type HttpConnectionOptions } from "./index.js";
import { isPublicAddress } from "@hasp/base/declared";
import { options, settleAsObject, startServer, type TestServer } from "./server.testing.js";

let server: TestServer;
let elsewhere: TestServer;
beforeAll(async () => {
  server = await startServer();
  elsewhere = await startServer();
});
afterAll(() => Promise.all([server.close(), elsewhere.close()]));
beforeEach(() => {
  server.reset();
  elsewhere.reset();
});

const handlerOf = (parts: Partial<HttpConnectionOptions>, method: "GET" | "POST" = "GET") => {
  const connection = httpConnection({ name: "api", baseUrl: server.origin, ...parts });
  return () => settleAsObject(httpHandler(connection, { method, path: "/a" })({}, options()));
};
const refused = {
  threw: "NotExecuted",
  code: "not-executed",
  message: expect.stringContaining("not public") as string,
};

const PRIVATE = [
  "0.0.0.0",
  "10.1.2.3",
  "100.64.0.1",
  "127.0.0.1",
  "127.9.9.9",
  "169.254.169.254",
  "172.16.0.1",
  "172.31.255.255",
  "192.0.0.192",
  "192.168.1.1",
  "198.18.0.1",
  "224.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "::ffff:127.0.0.1",
  "::ffff:8.8.8.8",
  "::127.0.0.1",
  "64:ff9b::7f00:1",
  "64:ff9b::10.0.0.1",
  "64:ff9b:1::1",
  "2001::1",
  "2001:db8::1",
  "2002:7f00:1::",
  "fc00::1",
  "fd00:ec2::254",
  "fe80::1",
  "fe80::1%eth0",
  "ff02::1",
];
const PUBLIC = ["8.8.8.8", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "64:ff9b::8.8.8.8", "64:ff9b::808:808"];

test("tells public addresses from private ones", () => {
  expect(PRIVATE.filter(isPublicAddress)).toEqual([]);
  expect(PUBLIC.filter((address) => !isPublicAddress(address))).toEqual([]);
  expect(["", "localhost", "8.8.8", "8.8.8.8.8", "8.8.8.8 "].filter(isPublicAddress)).toEqual([]);
});

describe("an address that is not public is refused before anything is sent", () => {
  const port = (): number => server.port;
  test.each([
    ["dotted", () => `127.0.0.1:${port()}`],
    ["decimal", () => `2130706433:${port()}`],
    ["octal", () => `0177.0.0.1:${port()}`],
    ["hexadecimal", () => `0x7f.0.0.1:${port()}`],
    ["short", () => `127.1:${port()}`],
    ["full-width digits", () => `１２７.0.0.1:${port()}`],
    ["zero", () => `0:${port()}`],
    ["IPv6", () => `[::1]:${port()}`],
    ["mapped", () => `[::ffff:127.0.0.1]:${port()}`],
    ["mapped, hexadecimal", () => `[::ffff:7f00:1]:${port()}`],
    ["a name", () => `localhost:${port()}`],
    ["the metadata of a cloud", () => "169.254.169.254"],
  ])("refuses a private address: %s", async (_name, host) => {
    expect(await handlerOf({ baseUrl: `http://${host()}/` })()).toMatchObject(refused);
    expect(server.received).toEqual([]);
  });

  test.each(PRIVATE.filter((address) => !address.includes("%")))(
    "refuses a name that leads to a private address: %s",
    async (address) => {
      const resolve = async () => [
        { address: "93.184.216.34", family: 4 },
        { address, family: address.includes(":") ? 6 : 4 },
      ];
      expect(await handlerOf({ baseUrl: "http://api.test/", resolve })()).toMatchObject(refused);
    },
  );

  test("each connection resolves anew, and goes where the vetted answer says", async () => {
    const answers = ["93.184.216.34", "127.0.0.1"];
    const asked: string[] = [];
    const resolve = async (hostname: string) => {
      asked.push(hostname);
      return [{ address: answers[asked.length - 1] ?? "", family: 4 }];
    };
    // The first answer is public: nothing there replies in time, and meanwhile nobody needs the second answer.
    const call = handlerOf({ baseUrl: `http://api.test:${server.port}/`, resolve, timeoutSeconds: 0.05 });
    expect(await call()).not.toMatchObject({ output: { ok: true } });
    expect(asked).toEqual(["api.test"]);
    expect(await call()).toMatchObject(refused);
    expect(server.received).toEqual([]);
  });

  test("a connection that allows private addresses uses the vetted one", async () => {
    const resolve = async () => [{ address: "127.0.0.1", family: 4 }];
    const parts = { baseUrl: `http://api.test:${server.port}/`, resolve, allowPrivateAddresses: true };
    expect(await handlerOf(parts)()).toMatchObject({ output: { ok: true } });
    expect(server.received).toMatchObject([{ headers: { host: `api.test:${server.port}` } }]);
  });

  test.each([[], [{ address: "not an address", family: 4 }]])(
    "refuses a resolver that answers %j",
    async (...found) => {
      expect(await handlerOf({ baseUrl: "http://api.test/", resolve: async () => found })()).toMatchObject({
        threw: "NotExecuted",
      });
    },
  );
});

describe("redirects", () => {
  const redirect = (status: number, location: string): void => {
    server.answer = (request, response) => {
      if (request.url === "/a") response.writeHead(status, { location });
      response.end("done");
    };
  };
  const local = { allowPrivateAddresses: true };

  test.each([
    ["another host", "https://evil.test/"],
    ["another port", () => `${elsewhere.origin}/a`],
    ["a path that names another host", () => `//127.0.0.1:${elsewhere.port}/a`],
    ["another protocol", "file:///etc/passwd"],
    ["a user", () => server.origin.replace("//", "//me:word@")],
    ["no URL", "http://[/"],
  ])("refuses redirects to %s", async (_name, location) => {
    redirect(302, typeof location === "string" ? location : location());
    expect(await handlerOf(local)()).toMatchObject({
      threw: "HttpError",
      message: expect.stringContaining("does not allow") as string,
    });
    expect(elsewhere.received).toEqual([]);
    expect(server.received).toHaveLength(1);
  });

  test("refuses redirects of an allowed host to a private address", async () => {
    const resolve = async () => [{ address: "127.0.0.1", family: 4 }];
    // Every address is vetted, of the first host and of the next.
    const call = handlerOf({ baseUrl: "http://api.test/", resolve, allowedHosts: ["internal.test"] });
    expect(await call()).toMatchObject(refused);
  });

  test.each([
    [301, "GET", "GET"],
    [302, "POST", "GET"],
    [303, "POST", "GET"],
    [307, "POST", "POST"],
    [308, "POST", "POST"],
  ] as const)("follows redirect %i of %s within the host by %s", async (status, method, next) => {
    redirect(status, "/b?c=1");
    expect(await handlerOf(local, method)()).toMatchObject({ content: "done" });
    expect(server.received.map((each) => [each.method, each.url])).toEqual([
      [method, "/a"],
      [next, "/b?c=1"],
    ]);
  });

  test("drops credentials in redirects to an allowed host", async () => {
    redirect(307, `${elsewhere.origin}/b`);
    const auth = [
      { bearer: { context: "token" as never } },
      { apiKey: { in: "header", name: "X-Key", context: "token" as never } },
      { apiKey: { in: "cookie", name: "key", context: "token" as never } },
    ] as const;
    const connection = httpConnection({
      name: "api",
      baseUrl: server.origin,
      auth,
      allowedHosts: [`127.0.0.1:${elsewhere.port}`],
      ...local,
    });
    const request = () => ({ headers: { "X-Trace": "1" }, body: { json: { a: 1 } } });
    const handler = httpHandler(connection, { method: "POST", path: "/a", request });
    expect(await settleAsObject(handler({}, options({ context: { token: "t0ken" } })))).toMatchObject({
      output: { ok: true },
    });
    expect(server.received[0]?.headers).toMatchObject({
      authorization: "Bearer t0ken",
      "x-key": "t0ken",
      cookie: "key=t0ken",
    });
    const [there] = elsewhere.received;
    expect(there?.headers).toMatchObject({ "x-trace": "1", "content-type": "application/json" });
    expect(there?.body.toString()).toBe('{"a":1}');
    expect(JSON.stringify(there)).not.toContain("t0ken");
  });

  test("a redirect after a write leaves its effect unknown, whatever the next answer says", async () => {
    server.answer = (request, response) => {
      response.writeHead(request.method === "POST" ? 303 : 404, { location: "/b" });
      response.end();
    };
    expect(await handlerOf(local, "POST")()).toMatchObject({ details: { status: 404 }, effect: "unknown" });
    expect(await handlerOf(local)()).toMatchObject({ details: { status: 404 }, effect: "none" });
    const gone = await startServer();
    await gone.close();
    redirect(303, gone.origin);
    const allowed = { ...local, allowedHosts: [`127.0.0.1:${gone.port}`] };
    expect(await handlerOf(allowed, "POST")()).toMatchObject({ threw: "HttpError" });
    expect(await handlerOf(allowed)()).toMatchObject({ threw: "NotExecuted" });
  });

  test("limits the number of redirects; 307 says that nothing was done", async () => {
    redirect(302, "/a");
    expect(await handlerOf(local)()).toMatchObject({ message: expect.stringContaining("more than 5 times") as string });
    redirect(307, "https://evil.test/");
    expect(await handlerOf(local, "POST")()).toMatchObject({ threw: "NotExecuted" });
  });
});
