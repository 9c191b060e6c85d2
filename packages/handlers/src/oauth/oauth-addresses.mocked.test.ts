import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { startServer, type TestServer } from "../http/server.testing.js";
import { oauthTokens } from "./index.js";
import type { OauthClient } from "./oauth-client.js";
import type { StoredTokens } from "./token-store.js";

// The server of this test answers for every name under .test, as if by https; everything else is vetted as usual.
let server: TestServer;
vi.mock("../http/public-fetch.js", async (importOriginal) => {
  const original = await importOriginal<typeof import("../http/public-fetch.js")>();
  return {
    ...original,
    createVettedFetch: (reach: object) => async (address: string, init: RequestInit) => {
      const url = new URL(address);
      if (!url.hostname.endsWith(".test")) return original.createVettedFetch(reach)(address, init as never);
      const headers = { ...Object.fromEntries(new Headers(init.headers)), "x-host": url.origin };
      return fetch(`${server.origin}${url.pathname}`, { ...init, headers, redirect: "manual" });
    },
  };
});

beforeEach(async () => {
  vi.stubEnv("TEST_CLIENT_SECRET", "s3cret/+value");
  server = await startServer();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await server.close();
});

const signal = new AbortController().signal;
const json = { "content-type": "application/json" };
const client = {
  name: "orders-api",
  flow: "clientCredentials",
  clientId: "hasp-client",
  clientSecret: { env: "TEST_CLIENT_SECRET" },
} as const;
const discoveryUrl = "https://login.test/.well-known/openid-configuration";

/** Answers with metadata and a token. */
function issue(metadata: object): void {
  server.answer = (request, response) => {
    const body = request.url?.includes("well-known")
      ? { issuer: "https://login.test", ...metadata }
      : { access_token: "token-1", token_type: "Bearer" };
    response.writeHead(200, json).end(JSON.stringify(body));
  };
}

const tokenOf = async (more: Partial<OauthClient>): Promise<unknown> =>
  oauthTokens({ ...client, ...more } as OauthClient)
    .token(signal, "https://api.example.com")
    .catch((error: unknown) => (error as Error).message);
const sentTo = (): readonly unknown[] =>
  server.received.filter(({ method }) => method === "POST").map(({ headers }) => headers["x-host"]);

describe("the client's secret goes to", () => {
  test.each([
    ["an endpoint of the metadata's origin", "https://login.test/token", {}],
    [
      "an endpoint at an origin that the configuration names",
      "https://tokens.test/token",
      { refreshUrl: "https://tokens.test/renew" },
    ],
    [
      "the endpoint that the configuration states, whatever the metadata says",
      "http://127.0.0.1:1/",
      { tokenUrl: "https://tokens.test/token" },
    ],
  ])("sends the client's secret to %s", async (_what, token_endpoint, more) => {
    issue({ token_endpoint });
    expect(await tokenOf({ discoveryUrl, ...more })).toBe("token-1");
    expect(sentTo()).toEqual([new URL("tokenUrl" in more ? more.tokenUrl : token_endpoint).origin]);
  });
});

describe("nothing is sent to", () => {
  test.each([
    "https://tokens.test/token",
    "http://login.test/token",
    "http://127.0.0.1:1/token",
    "https://127.0.0.1/token",
    "https://169.254.169.254/token",
    "https://10.0.0.5/token",
    "https://[fd00::1]/token",
    "https://login.test:8443/token",
    "https://login.test@10.0.0.5/token",
    "token",
    undefined,
  ])("sends nothing to the endpoint %s of metadata, even if private addresses are allowed", async (token_endpoint) => {
    issue({ token_endpoint });
    for (const allowPrivateAddresses of [false, true]) {
      expect(await tokenOf({ discoveryUrl, allowPrivateAddresses })).toMatch(
        /^The metadata of .+ Write the right address as `tokenUrl`\.$/u,
      );
    }
    expect(sentTo()).toEqual([]);
  });

  test.each(["127.0.0.1", "localhost"])(
    "sends nothing to %s unless the connection allows private addresses",
    async (host) => {
      issue({});
      const tokenUrl = `http://${host}:${server.port}/token`;
      expect(await tokenOf({ tokenUrl })).toContain("is not public, which the connection does not allow");
      expect(server.received).toEqual([]);
      if (host === "127.0.0.1") expect(await tokenOf({ tokenUrl, allowPrivateAddresses: true })).toBe("token-1");
    },
  );

  test.each(["https://169.254.169.254/", "https://10.0.0.5/", "https://[fd00::1]/", "https://[::1]/"])(
    "sends nothing to %s, for tokens, renewals and metadata",
    async (origin) => {
      const refused = "is not public, which the connection does not allow";
      expect(await tokenOf({ tokenUrl: `${origin}token` })).toContain(refused);
      expect(await tokenOf({ discoveryUrl: `${origin}.well-known/openid-configuration` })).toContain(refused);
      const store = holding({ accessToken: "old", refreshToken: "refresh", expiresAt: new Date(0).toISOString() });
      const flow = { flow: "deviceCode", deviceAuthorizationUrl: "https://login.test/device", store } as const;
      expect(await tokenOf({ ...flow, tokenUrl: "https://login.test/token", refreshUrl: `${origin}t` })).toContain(
        refused,
      );
      expect(sentTo()).toEqual([]);
    },
  );

  test("does not follow a server's redirects", async () => {
    const other = await startServer();
    onTestFinished(() => other.close());
    for (const status of [301, 302, 303, 307, 308]) {
      server.answer = (_request, response) => void response.writeHead(status, { location: other.origin }).end();
      expect(await tokenOf({ tokenUrl: "https://login.test/token" })).toContain("got no token");
      expect(await tokenOf({ discoveryUrl })).toContain("got no token");
      expect(await tokenOf({ tokenUrl: `${server.origin}/token`, allowPrivateAddresses: true })).toContain(
        "got no token",
      );
    }
    expect(other.received).toEqual([]);
  });
});

test.each([
  ["the secret", "s3cret/+value"],
  ["the secret, encoded", "s3cret%2F%2Bvalue"],
  ["the header", btoa("hasp%2Dclient:s3cret%2F%2Bvalue")],
  ["the refresh token", "refresh-0123456789"],
  ["the refresh token with a control character in it", "refresh-0123\u0007456789"],
  ["the old token", "old-0123456789"],
])("a server's error that echoes %s does not show it", async (_what, echoed) => {
  const store = holding({
    accessToken: "old-0123456789",
    refreshToken: "refresh-0123456789",
    expiresAt: new Date(0).toISOString(),
  });
  const flow = { flow: "deviceCode", deviceAuthorizationUrl: "https://login.test/device", store } as const;
  for (const body of [
    { error: echoed, error_description: "no" },
    { error: "invalid_scope", error_description: `${"x".repeat(180)} ${echoed} ${"y".repeat(256_000 / 2)}` },
  ]) {
    server.answer = (_request, response) => void response.writeHead(400, json).end(JSON.stringify(body));
    const message = String(await tokenOf({ ...flow, tokenUrl: "https://login.test/token" }));
    expect(message.length).toBeLessThan(400);
    expect(message).toMatch(/an error that OAuth does not define|invalid_scope/u);
    expect(message).not.toContain(echoed.replace("\u0007", "").slice(0, 10));
  }
});

test("a token source lists the secrets that it has read and received", async () => {
  issue({ token_endpoint: "https://login.test/token" });
  const source = oauthTokens({ ...client, discoveryUrl });
  expect(source.secrets).toEqual([]);
  await source.token(signal, "https://api.example.com");
  expect(source.secrets).toEqual(["s3cret/+value", btoa("hasp%2Dclient:s3cret%2F%2Bvalue"), "token-1"]);
});

function holding(tokens: StoredTokens): object {
  return {
    read: async () => tokens,
    write: async () => undefined,
    remove: async () => true,
    exclusively: async (_key: string, work: () => Promise<unknown>) => work(),
  };
}
