import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { buildTool, createDispatcher, NotExecuted } from "@hasp/runtime";
import { httpConnection, httpHandler, type HttpConnectionOptions, type HttpDeclaration } from "./index.js";
import { retryAfterSeconds } from "./result.js";
import { options, settleAsObject, startServer, type TestServer } from "./server.testing.js";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());
beforeEach(() => server.reset());
afterEach(() => vi.unstubAllEnvs());

const connect = (parts: Partial<HttpConnectionOptions<never>> = {}) =>
  httpConnection<never>({ name: "orders-api", baseUrl: server.origin, allowPrivateAddresses: true, ...parts });

const get = { method: "GET", path: "/orders" } as const;
const post = { method: "POST", path: "/orders" } as const;

function call(
  declaration: HttpDeclaration<never, never> = get,
  connection = connect(),
  parts: Parameters<typeof options>[0] = {},
): Promise<Record<string, unknown>> {
  return settleAsObject(httpHandler(connection, declaration)(undefined as never, options(parts) as never));
}

function answer(status: number, body: string | Buffer = "", headers: Record<string, string> = {}): void {
  server.answer = (_request, response) => {
    response.writeHead(status, headers);
    response.end(body);
  };
}
const json = { "content-type": "application/json" };

test("a call sends the declared request and returns the service's JSON", async () => {
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
    ["text of a type that only says so", 200, "pong", { "content-type": "application/text" }, { content: "pong" }],
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
  ])("turns an answer into a result: %s", async (_name, status, body, headers, expected) => {
    answer(status, body, headers);
    expect(await call()).toMatchObject(expected);
  });

  test.each([
    ["gzip", gzipSync],
    ["x-gzip", gzipSync],
    ["deflate", deflateSync],
    ["deflate", deflateRawSync],
    ["br", brotliCompressSync],
  ] as const)("decompresses an answer in %s", async (encoding, compress) => {
    answer(200, compress('{"a":1}'), { ...json, "content-encoding": encoding });
    expect(await call()).toMatchObject({ output: { a: 1 } });
  });
});

describe("pages", () => {
  const list = { method: "GET", path: "/orders", request: () => ({ query: { limit: 2 } }), result: "/items" } as const;

  test("joins pages along the header Link, within the origin, up to the limit", async () => {
    server.answer = (request, response) => {
      const page = Number(new URL(request.url ?? "", server.origin).searchParams.get("page") ?? 1);
      const next =
        page < 4
          ? `<${server.origin}/orders?page=${page + 1}>; title="a,b"; rel="next"`
          : `<https://x.test/>; rel=next`;
      response.writeHead(200, { ...json, link: `</orders?page=0>; rel="prev", ${next}` });
      response.end(`{"items":[${page}]}`);
    };
    expect(await call({ ...list, pagination: { link: true, maxPages: 9 } })).toMatchObject({
      output: [1, 2, 3, 4],
      content: [{}, { text: expect.stringContaining("more pages") as string }],
    });
    const cut = await call({ ...list, pagination: { link: true, maxPages: 2 } });
    expect(cut).toMatchObject({
      output: [1, 2],
      content: [{ text: "[1,2]" }, { text: expect.stringContaining("more pages") as string }],
    });
  });

  test("joins pages along a cursor, with the key of the connection", async () => {
    vi.stubEnv("KEY", "k3y-of-mine");
    server.answer = (request, response) => {
      const cursor = new URL(request.url ?? "", server.origin).searchParams.get("after");
      response.writeHead(200, json);
      response.end(cursor === null ? '{"items":[1],"next":"a&b"}' : `{"items":["${cursor}"],"next":null}`);
    };
    const connection = connect({ auth: { apiKey: { in: "query", name: "api_key", env: "KEY" } } });
    const pagination = { cursor: { from: "/next", query: "after" }, maxPages: 5 };
    expect(await call({ ...list, pagination }, connection)).toMatchObject({ output: [1, "a&b"] });
    expect(server.received.map(({ url }) => url)).toEqual([
      "/orders?api_key=k3y-of-mine&limit=2",
      "/orders?api_key=k3y-of-mine&limit=2&after=a%26b",
    ]);
  });

  test("failed or oversized pages do not look like a whole list", async () => {
    server.answer = (request, response) => {
      if (request.url?.includes("after=2") === true) response.writeHead(500);
      else response.writeHead(200, json);
      response.end('{"items":["' + "x".repeat(700_000) + '"],"next":2}');
    };
    const pagination = { cursor: { from: "/next", query: "after" }, maxPages: 5 };
    expect(await call({ ...list, pagination })).toMatchObject({ isError: true, details: { status: 500 } });
    server.answer = (_request, response) => {
      response.writeHead(200, json);
      response.end('{"items":["' + "x".repeat(700_000) + '"],"next":3}');
    };
    const cut = await call({ ...list, pagination }, connect({ maxResponseMb: 1 }));
    expect(cut).toMatchObject({
      output: [expect.stringMatching(/^x/u) as string],
      content: [{}, { text: expect.stringContaining("more pages") as string }],
    });
  });
});

describe("errors", () => {
  test.each([
    [400, "none"],
    [401, "none"],
    [403, "none"],
    [404, "none"],
    [405, "none"],
    [409, "none"],
    [415, "none"],
    [422, "none"],
    [408, "unknown"],
    [424, "unknown"],
    [500, "unknown"],
    [501, "unknown"],
  ])("status %i returns a result with the status, an excerpt and the effect %s", async (status, effect) => {
    answer(status, `<html><style>p{}</style><p>No \u0007 such <b>order</b></p>${"x".repeat(5000)}</html>`, {
      "content-type": "text/html",
    });
    const result = await call(post);
    expect(result).toMatchObject({ isError: true, details: { status }, effect });
    expect(result["content"]).toMatch(new RegExp(`^orders-api answered ${status} [A-Z][\\w ]+:\\nNo`, "u"));
    expect((result["content"] as string).length).toBeLessThan(1200);
  });

  test.each([
    [429, { "retry-after": "7" }, { threw: "NotExecuted", status: 429, retryable: true, retryAfterSeconds: 7 }],
    [403, { "retry-after": "7" }, { threw: "NotExecuted", status: 403, retryable: true, retryAfterSeconds: 7 }],
    [502, {}, { threw: "HttpError", status: 502, retryable: true }],
    [503, { "retry-after": "nonsense" }, { threw: "HttpError", status: 503, retryable: true }],
    [504, {}, { threw: "HttpError", status: 504, retryable: true }],
  ])("throws status %i with the facts that a retry needs", async (status, headers, expected) => {
    answer(status, "busy", headers);
    expect(await call(post)).toMatchObject(expected);
  });

  test("the dispatcher repeats a repeatable call, and reports its effect", async () => {
    let attempts = 0;
    server.answer = (_request, response) => {
      response.writeHead((attempts += 1) < 3 ? 503 : 200, json);
      response.end("7");
    };
    const dispatcher = createDispatcher({ tools: [tool("t", { isIdempotent: true })], ...allow });
    const [result] = await dispatcher.dispatch([{ id: "1", name: "t", input: {} }]);
    expect(result).toMatchObject({ isError: false, output: 7 });
    expect(attempts).toBe(3);
    attempts = 0;
    const [once] = await createDispatcher({ tools: [tool("t", {})], ...allow }).dispatch([
      { id: "1", name: "t", input: {} },
    ]);
    expect(once?.error).toMatchObject({
      code: "threw",
      effect: "unknown",
      message: expect.stringContaining("orders-api: the service answered 503") as string,
    });
    expect(attempts).toBe(1);
    answer(429);
    const [limited] = await createDispatcher({ tools: [tool("t", {})], ...allow }).dispatch([
      { id: "1", name: "t", input: {} },
    ]);
    expect(limited?.error).toMatchObject({ code: "not-executed", effect: "none" });
  });

  const allow = { permissions: { check: () => "allow" as const }, retryDelayMs: () => 0 } as const;
  const tool = (name: string, behavior: object) =>
    buildTool({
      name,
      description: "Orders.",
      input: { type: "object", additionalProperties: true },
      behavior,
      limits: { maxRetries: 5 },
      execute: httpHandler(connect(), post),
    });
});

describe("secrets", () => {
  const SECRET = 'p/a+s "s" & w0rd=é';
  test.each<[string, HttpConnectionOptions<never>["auth"], RegExp]>([
    ["bearer", { bearer: { env: "SECRET" } }, /SECRET/u],
    ["basic", { basic: { username: "me", password: { env: "SECRET" } } }, /SECRET/u],
    ["an API key in a header", { apiKey: { in: "header", name: "X-Key", env: "SECRET" } }, /SECRET/u],
    ["an API key in the query", { apiKey: { in: "query", name: "key", env: "SECRET" } }, /SECRET/u],
    ["an API key in a cookie", { apiKey: { in: "cookie", name: "key", env: "SECRET" } }, /SECRET/u],
    ["a member of the context", { context: "token" }, /"token"/u],
    [
      "a token",
      { oauth2: { token: () => Promise.reject(new NotExecuted("run `hasp login`")), refused: () => undefined } },
      /hasp login/u,
    ],
  ])("%s: names an unset secret and sends nothing", async (_name, auth, named) => {
    vi.stubEnv("SECRET", "");
    const result = await call(get, connect({ auth }));
    expect(result).toMatchObject({ threw: "NotExecuted", message: expect.stringMatching(named) as string });
    expect(server.received).toEqual([]);
  });

  test.each<[string, HttpConnectionOptions<never>["auth"]]>([
    ["bearer", { bearer: { env: "SECRET" } }],
    ["basic", { basic: { username: { env: "SECRET" }, password: { env: "SECRET" } } }],
    ["header", { apiKey: { in: "header", name: "X-Key", env: "SECRET" } }],
    ["query", { apiKey: { in: "query", name: "key", env: "SECRET" } }],
    ["cookie", { apiKey: { in: "cookie", name: "key", env: "SECRET" } }],
    ["several", [{ bearer: { env: "SECRET" } }, { apiKey: { in: "query", name: "key", env: "SECRET" } }]],
    ["context", { context: "token" as never }],
    ["token", { oauth2: { token: async () => SECRET, refused: () => undefined } }],
  ])("%s: no result and no error shows a secret that a service echoes, in any form", async (_name, auth) => {
    vi.stubEnv("SECRET", SECRET);
    const context = { token: SECRET };
    const echo = (status: number, type: string) => {
      server.answer = (request, response) => {
        const { url = "", headers } = request;
        const raw = [...new URL(url, server.origin).searchParams.values(), ...Object.values(headers).map(String)];
        const seen = [url, ...raw, ...raw.map((text) => Buffer.from(`x${text}`).toString("base64")), SECRET];
        response.writeHead(status, { "content-type": type });
        response.end(type.includes("json") ? JSON.stringify(seen) : Buffer.from(seen.join("\n")));
      };
    };
    const forms = [SECRET, encodeURIComponent(SECRET), Buffer.from(SECRET).toString("base64").slice(2, -4), "w0rd"];
    for (const [status, type] of [
      [200, "application/json"],
      [200, "text/plain"],
      [404, "application/json"],
      [503, "text/plain"],
    ] as const) {
      echo(status, type);
      const text = JSON.stringify(await call(get, connect({ auth }), { context } as never));
      expect(text).toContain("[redacted]");
      expect(forms.filter((form) => text.includes(form) || text.includes(JSON.stringify(form).slice(1, -1)))).toEqual(
        [],
      );
    }
  });

  test("neither the phrase of a status nor a media type shows a secret", async () => {
    vi.stubEnv("SECRET", "s3cret-é");
    const connection = connect({ auth: { apiKey: { in: "query", name: "key", env: "SECRET" } } });
    server.answer = (_request, response) => {
      response.writeHead(404, "No s3cret-é", { "content-type": "application/s3cret-%C3%A9" });
      response.end();
    };
    expect(await call(get, connection)).toMatchObject({ content: "orders-api answered 404 No [redacted]." });
    answer(200, Buffer.from([0, ...Buffer.from("s3cret-é")]), { "content-type": "application/s3cret-%c3%a9" });
    const blob = Buffer.from("\0[redacted]").toString("base64");
    expect(await call(get, connection)).toMatchObject({ content: [{ mimeType: "application/[redacted]", blob }] });
  });

  test("refuses a secret with a line break without quoting it", async () => {
    vi.stubEnv("SECRET", "abc\r\nX-Evil: 1");
    const result = await call(get, connect({ auth: { bearer: { env: "SECRET" } } }));
    expect(result).toMatchObject({ threw: "NotExecuted", message: expect.stringContaining("line break") as string });
    expect(JSON.stringify(result)).not.toContain("Evil");
  });

  test("renews a refused token once, and repeats the request", async () => {
    const refused: string[] = [];
    const receivers = new Set<string>();
    let tokens = 0;
    const oauth2 = {
      token: async (_signal: AbortSignal, origin: string) => {
        receivers.add(origin);
        return `token-${(tokens += 1)}`;
      },
      refused: (token: string) => void refused.push(token),
    };
    server.answer = (request, response) => {
      response.writeHead(request.headers.authorization === "Bearer token-2" ? 200 : 401, json);
      response.end("1");
    };
    expect(await call(post, connect({ auth: { oauth2 } }))).toMatchObject({ output: 1 });
    expect(refused).toEqual(["token-1"]);
    answer(401);
    expect(await call(post, connect({ auth: { oauth2 } }))).toMatchObject({ details: { status: 401 }, effect: "none" });
    expect(server.received).toHaveLength(4);
    expect([...receivers]).toEqual([server.origin]);
  });
});

test.each([
  ["https://api.test/v1", "https://api.test/b", true],
  ["https://api.test/v1", "http://api.test/b", false],
  ["https://api.test/v1", "http://api.test:443/b", false],
  ["http://api.test/v1", "https://api.test/b", true],
  ["https://api.test/v1", "https://api.test./b", false],
  ["https://api.test/v1", "https://a.files.test/b", true],
  ["https://api.test/v1", "https://files.test/b", false],
  ["https://api.test/v1", "https://evilfiles.test/b", false],
  ["https://api.test/v1", "https://cdn.test/b", true],
  ["https://api.test/v1", "https://cdn.test:8443/b", false],
  ["https://api.test/v1", "https://api.test@evil.test/b", false],
])("from %s a redirect to %s is followed: %s", async (baseUrl, location, isFollowed) => {
  const seen: string[] = [];
  const fetch = async (url: string) => {
    seen.push(url);
    return seen.length === 1 ? new Response(null, { status: 302, headers: { location } }) : new Response("done");
  };
  const connection = httpConnection<never>({ name: "s", baseUrl, fetch, allowedHosts: ["*.files.test", "CDN.test"] });
  const result = await call(get, connection);
  expect(seen.slice(1)).toEqual(isFollowed ? [location] : []);
  expect(result["threw"]).toBe(isFollowed ? undefined : "HttpError");
});

test.each([
  ["7", 7],
  [" 0 ", 0],
  ["999999999", 86_400],
  ["Sun, 06 Nov 1994 08:49:37 GMT", 37],
  ["Sun, 06 Nov 1994 08:48:00 GMT", 0],
  ["-1", undefined],
  ["1e3", undefined],
  ["soon", undefined],
  ["", undefined],
])("`Retry-After: %s` asks for %s seconds", (header, seconds) => {
  expect(retryAfterSeconds(header, Date.parse("1994-11-06T08:49:00Z"))).toBe(seconds);
});

test("a function that replaces the network gets the request, and needs no secrets", async () => {
  const seen: string[] = [];
  const fetch = async (url: string, init: { headers: Record<string, string> }) => {
    seen.push(url, String(init.headers["authorization"]));
    return new Response('{"a":1}', { headers: json });
  };
  const connection = httpConnection<never>({
    name: "s",
    baseUrl: "https://10.0.0.1/v1",
    auth: { bearer: { env: "NOT_SET" } },
    fetch,
  });
  expect(await call(get, connection)).toMatchObject({ output: { a: 1 } });
  expect(seen).toEqual(["https://10.0.0.1/v1/orders", "undefined"]);
});

test("limits the answer of a function that replaces the network", async () => {
  let pulled = 0;
  const body = () =>
    new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array((pulled += 1) && 65_536)),
    });
  const connection = connect({ maxResponseMb: 1, fetch: async () => new Response(body()) });
  expect(await call(get, connection)).toMatchObject({ isError: true, effect: "landed" });
  expect(pulled).toBeLessThan(20);
});

test("the types accept secrets from the environment and from members of the context", () => {
  interface Context {
    readonly token: string;
  }
  const base = { name: "s", baseUrl: "https://x.test" };
  const connection = httpConnection<Context>({ ...base, auth: { bearer: { context: "token" } } });
  // @ts-expect-error The context has no such member.
  httpConnection<Context>({ ...base, auth: { bearer: { context: "key" } } });
  httpHandler<{ id: string }, Context>(connection, {
    ...get,
    request: (input, context) => ({ query: { id: input.id, as: context.token } }),
  });
  // @ts-expect-error A connection that needs a context takes no handler for another.
  httpHandler<unknown, { readonly other: string }>(connection, get);
  httpHandler<unknown, Context>(httpConnection(base), get);
});

test.each([
  [{ auth: { token: "abc" } as never }, /`auth`/u],
  [{ auth: { bearer: { env: "A" }, basic: { username: "a" } } as never }, /`auth`/u],
  [{ auth: [{ apiKey: { in: "body", name: "a", env: "A" } }] as never }, /`auth`/u],
  [{ baseUrl: "ftp://x.test" }, /baseUrl/u],
  [{ baseUrl: "not a URL" }, /baseUrl/u],
  [{ baseUrl: "https://user:word@x.test" }, /baseUrl/u],
  [{ baseUrl: "https://x.test/?a=1" }, /baseUrl/u],
  [{ timeoutSeconds: 0 }, /timeoutSeconds/u],
  [{ timeoutSeconds: 86_401 }, /at most 86400/u],
  [{ maxResponseMb: Number.NaN }, /maxResponseMb/u],
])("refuses a connection that can never work: %j", (parts, message) => {
  expect(() => connect(parts)).toThrow(message);
});

test.each(["orders", "/a/../b", "/a/%2e%2e/b", "/a?b=c", "/a#b", "/a/{b", "/a\\b"])(
  "refuses an invalid path: %s",
  (path) => {
    expect(() => httpHandler(connect(), { method: "GET", path })).toThrow(TypeError);
  },
);
test.each(["get", "CONNECT", "A B"])("refuses an invalid method: %s", (method) => {
  expect(() => httpHandler(connect(), { method: method as "GET", path: "/" })).toThrow(TypeError);
});
