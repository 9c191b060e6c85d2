import { createHash } from "node:crypto";
import { chmod, mkdtemp, readdir, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { authorizationServer, type TokenAnswer } from "./authorization-server.testing.js";
import { fileTokenStore, openSystemKeyring } from "./system-token-store.js";
import { logOut, oauthTokens, startLogin, tokenStore } from "./index.js";
import type { OauthClient } from "./oauth-client.js";
import type { HttpBaseUrl } from "../http/service-address.js";
import { createTokenKey, type TokenStore } from "./token-store.js";

const SECRET = "s3cret/+value";
const signal = new AbortController().signal;
const RECEIVER = "https://api.example.com";
const baseUrl = `${RECEIVER}/v2`;

beforeEach(() => {
  process.env["TEST_CLIENT_SECRET"] = SECRET;
});
afterEach(() => {
  delete process.env["TEST_CLIENT_SECRET"];
});

async function started(
  answer: (form: URLSearchParams, count: number) => TokenAnswer,
): ReturnType<typeof authorizationServer> {
  const server = await authorizationServer(answer);
  onTestFinished(async () => server[Symbol.asyncDispose]());
  return server;
}

async function folderOfTest(): Promise<string> {
  return mkdtemp(join(tmpdir(), "hasp-tokens-"));
}

function withSecret(url: string, more: Partial<OauthClient> = {}): OauthClient {
  return {
    name: "orders-api",
    flow: "clientCredentials",
    tokenUrl: `${url}/token`,
    clientId: "hasp-client",
    clientSecret: { env: "TEST_CLIENT_SECRET" },
    allowPrivateAddresses: true,
    ...more,
  };
}

function ofPerson(url: string, flow: "deviceCode" | "authorizationCode" = "deviceCode"): OauthClient {
  return {
    name: "orders-api",
    flow,
    tokenUrl: `${url}/token`,
    deviceAuthorizationUrl: `${url}/device`,
    authorizationUrl: `${url}/authorize`,
    clientId: "hasp-client",
    scopes: ["orders.read"],
    allowPrivateAddresses: true,
  };
}

const fresh = (count: number, more: object = {}): TokenAnswer => ({
  body: { access_token: `token-${count}`, token_type: "Bearer", expires_in: 3600, ...more },
});

describe("client credentials", () => {
  test("calls share one request and its token, until it is refused", async () => {
    const server = await started((_form, count) => fresh(count));
    const tokens = oauthTokens(withSecret(server.url, { scopes: ["a", "b"], audience: "https://api.example.com" }));
    const all = await Promise.all(
      Array.from({ length: 50 }, () => tokens.token(new AbortController().signal, RECEIVER)),
    );
    expect(new Set(all)).toEqual(new Set(["token-1"]));
    expect(Object.fromEntries(server.requests[0]?.form ?? [])).toEqual({
      grant_type: "client_credentials",
      scope: "a b",
      audience: "https://api.example.com",
    });
    tokens.refused("token-1");
    expect(await tokens.token(signal, RECEIVER)).toBe("token-2");
    expect(await tokens.token(signal, RECEIVER)).toBe("token-2");
    expect(server.requests).toHaveLength(2);
  });

  test("renews a token that expires soon", async () => {
    const server = await started((_form, count) => fresh(count, { expires_in: 10 }));
    const tokens = oauthTokens(withSecret(server.url));
    expect([await tokens.token(signal, RECEIVER), await tokens.token(signal, RECEIVER)]).toEqual([
      "token-1",
      "token-2",
    ]);
  });

  test("an abort ends the waiting of one call only", async () => {
    const server = await started((_form, count) => fresh(count));
    const tokens = oauthTokens(withSecret(server.url));
    const stopped = new AbortController();
    const calls = Promise.allSettled([tokens.token(stopped.signal, RECEIVER), tokens.token(signal, RECEIVER)]);
    stopped.abort(new Error("enough"));
    expect((await calls).map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
  });

  test("names an unset variable and sends nothing", async () => {
    const server = await started((_form, count) => fresh(count));
    delete process.env["TEST_CLIENT_SECRET"];
    await expect(oauthTokens(withSecret(server.url)).token(signal, RECEIVER)).rejects.toMatchObject({
      code: "not-executed",
      message: "The connection orders-api needs the environment variable TEST_CLIENT_SECRET, which is not set.",
    });
    expect(server.requests).toEqual([]);
  });

  test.each<[string, TokenAnswer, RegExp]>([
    [
      "refuses",
      { status: 401, body: { error: "invalid_client", error_description: "no such client" } },
      /answered invalid_client \(no such client\)\.$/,
    ],
    [
      "echoes the secret",
      { status: 400, body: { error: "invalid_client", error_description: `not ${SECRET}` } },
      /answered invalid_client \(not \[redacted\]\)\.$/,
    ],
    [
      "makes up a code",
      { status: 400, body: { error: SECRET.repeat(9) } },
      /answered an error that OAuth does not define\.$/,
    ],
    [
      "sends control characters",
      { status: 400, body: { error: "invalid_client", error_description: "a\u001b[2Jb\u202e" } },
      /\(a\[2Jb\)\.$/,
    ],
    ["sends no JSON", { body: "<html>" }, /got no token: .+\.$/],
    ["sends half a JSON", { body: '{"access_token": "abc' }, /got no token: .+\.$/],
    ["sends a number as token", { body: { access_token: 5, token_type: "Bearer" } }, /not valid in OAuth/],
    ["sends too much", { body: { access_token: "x".repeat(300_000), token_type: "Bearer" } }, /cannot be reached\.$/],
  ])("reports a server that %s, without secrets", async (_what, answer, message) => {
    const server = await started(() => answer);
    const failure = await oauthTokens(withSecret(server.url))
      .token(signal, RECEIVER)
      .catch((error: unknown) => error as Error & { code: string });
    expect(failure).toMatchObject({ code: "not-executed", message: expect.stringMatching(message) });
    expect(JSON.stringify([failure, (failure as Error).stack, (failure as Error).cause])).not.toContain(SECRET);
  });

  test.each<[Partial<OauthClient>, RegExp]>([
    [{ tokenUrl: "http://example.com/token" }, /must be an https URL/],
    [{ tokenUrl: "token" }, /must be an https URL/],
    [{ discoveryUrl: "https://example.com" }, /must end with/],
    [{ flow: "deviceCode" }, /needs `deviceAuthorizationUrl`/],
    [{ flow: "authorizationCode" }, /needs `authorizationUrl`/],
    [{ flow: "authorizationCode", authorizationUrl: "https://example.com" }, /needs a `store`/],
  ])("refuses %j at once", (change, message) => {
    expect(() => oauthTokens(withSecret("https://example.com", change))).toThrow(message);
  });
});

describe("tokens that a person approved", () => {
  test("a call without a login explains how to log in", async () => {
    const server = await started((_form, count) => fresh(count));
    const tokens = oauthTokens({ ...ofPerson(server.url), store: fileTokenStore(await folderOfTest()) });
    await expect(tokens.token(signal, RECEIVER)).rejects.toThrow(
      "The connection orders-api has no token for https://api.example.com. A person must run `hasp login orders-api` first.",
    );
  });

  test("processes that share a store renew a token once, and keep the rotated refresh token", async () => {
    const server = await started((_form, count) => fresh(count, { refresh_token: `refresh-${count}` }));
    const folder = await folderOfTest();
    const client = ofPerson(server.url);
    await fileTokenStore(folder).write(createTokenKey(client, RECEIVER), {
      accessToken: "old",
      refreshToken: "refresh-0",
      expiresAt: "2020-01-01T00:00:00Z",
    });
    const sources = Array.from({ length: 4 }, () => oauthTokens({ ...client, store: fileTokenStore(folder) }));
    expect(await Promise.all(sources.map((source) => source.token(signal, RECEIVER)))).toEqual(
      Array(4).fill("token-1"),
    );
    expect(server.requests.map(({ form }) => form.get("refresh_token"))).toEqual(["refresh-0"]);
    expect(await fileTokenStore(folder).read(createTokenKey(client, RECEIVER))).toMatchObject({
      accessToken: "token-1",
      refreshToken: "refresh-1",
    });
  });

  test("forgets a refresh token that was withdrawn", async () => {
    const server = await started(() => ({ status: 400, body: { error: "invalid_grant" } }));
    const store = fileTokenStore(await folderOfTest());
    const client = ofPerson(server.url);
    await store.write(createTokenKey(client, RECEIVER), {
      accessToken: "old",
      refreshToken: "gone",
      expiresAt: "2020-01-01T00:00:00Z",
    });
    await expect(oauthTokens({ ...client, store }).token(signal, RECEIVER)).rejects.toThrow(
      "has a token that was revoked. A person must run",
    );
    expect(await store.read(createTokenKey(client, RECEIVER))).toBeUndefined();
  });

  test("an unreachable server does not end the login", async () => {
    const server = await started(() => ({ status: 503, body: "" }));
    const store = fileTokenStore(await folderOfTest());
    const client = ofPerson(server.url);
    await store.write(createTokenKey(client, RECEIVER), {
      accessToken: "old",
      refreshToken: "kept",
      expiresAt: "2020-01-01T00:00:00Z",
    });
    await expect(oauthTokens({ ...client, store }).token(signal, RECEIVER)).rejects.toThrow("got no token");
    expect(await store.read(createTokenKey(client, RECEIVER))).toMatchObject({ refreshToken: "kept" });
  });

  test("another server, client, scope or audience never gets the tokens of this one", () => {
    const client = ofPerson("https://a.example.com");
    const changes: Partial<OauthClient>[] = [
      { tokenUrl: "https://b.example.com/token" },
      { clientId: "other" },
      { scopes: ["orders.write"] },
      { audience: "https://api.example.com" },
    ];
    const keys = [client, ...changes.map((change) => ({ ...client, ...change }))].map((each) =>
      createTokenKey(each, RECEIVER),
    );
    expect(new Set(keys).size).toBe(keys.length);
    expect(createTokenKey({ ...client, name: "../../x" }, RECEIVER)).toMatch(/^[\w-]+$/);
  });
});

describe("the receiver of a person's tokens", () => {
  /** A store after a login for a connection's address. */
  async function loggedIn(address: HttpBaseUrl): Promise<{ client: OauthClient; store: TokenStore }> {
    const server = await started((_form, count) => fresh(count));
    const store = fileTokenStore(await folderOfTest());
    const client = ofPerson(server.url);
    const { receiver, finished } = await startLogin({ ...client, baseUrl: address }, { store });
    expect(receiver).toBe(RECEIVER);
    await finished;
    return { client, store };
  }

  test.each(["https://evil.example.com", "http://api.example.com", "https://api.example.com:8443", undefined as never])(
    "a login for one origin gives no token to %s",
    async (other) => {
      const { client, store } = await loggedIn(baseUrl);
      const tokens = oauthTokens({ ...client, store });
      expect(await tokens.token(signal, RECEIVER)).toBe("token-1");
      await expect(tokens.token(signal, other)).rejects.toThrow(`has no token for ${String(other)}. A person must run`);
      expect(await tokens.token(signal, RECEIVER)).toBe("token-1");
    },
  );

  test("a login is for the address that the variable names, and is forgotten without it", async () => {
    const address = { env: "TEST_API", allowed: ["https://staging.example.com/v2", baseUrl] };
    vi.stubEnv("TEST_API", baseUrl);
    const { client, store } = await loggedIn(address);
    const tokens = oauthTokens({ ...client, store });
    expect(await tokens.token(signal, RECEIVER)).toBe("token-1");
    await expect(tokens.token(signal, "https://staging.example.com")).rejects.toThrow("has no token for");
    vi.stubEnv("TEST_API", "https://evil.example.com");
    await expect(startLogin({ ...client, baseUrl: address }, { store })).rejects.toThrow("holds no allowed address");
    vi.unstubAllEnvs();
    expect(await logOut({ ...client, baseUrl: address }, store)).toBe(true);
    await expect(oauthTokens({ ...client, store }).token(signal, RECEIVER)).rejects.toThrow("has no token for");
  });

  test("a token without a receiver, from an earlier version, is not used, and deleted by either command", async () => {
    const server = await started((_form, count) => fresh(count));
    const store = fileTokenStore(await folderOfTest());
    const client = ofPerson(server.url);
    const identity = [client.tokenUrl, "", "", client.clientId, client.scopes, ""];
    const old = `orders-api-${createHash("sha256").update(JSON.stringify(identity)).digest("hex").slice(0, 16)}`;
    await store.write(old, { accessToken: "anywhere" });
    await expect(oauthTokens({ ...client, store }).token(signal, RECEIVER)).rejects.toThrow(
      "has no token for https://api.example.com. A person must run `hasp login orders-api` first.",
    );
    await (
      await startLogin({ ...client, baseUrl }, { store })
    ).finished;
    expect(await store.read(old)).toBeUndefined();
    await store.write(old, { accessToken: "anywhere" });
    expect(await logOut({ ...client, baseUrl }, store)).toBe(true);
    expect([await store.read(old), await logOut({ ...client, baseUrl }, store)]).toEqual([undefined, false]);
  });
});

describe("logging in", () => {
  test("a login on a device polls until the person has approved", async () => {
    const server = await started((form, count) =>
      count < 3
        ? { status: 400, body: { error: "authorization_pending" } }
        : fresh(count, { refresh_token: form.get("device_code") }),
    );
    const store = fileTokenStore(await folderOfTest());
    const client = ofPerson(server.url);
    const { request, finished } = await startLogin({ ...client, baseUrl }, { store });
    expect(request).toMatchObject({ url: "https://example.com/device", code: "ABCD-EFGH" });
    await finished;
    expect(await oauthTokens({ ...client, store }).token(signal, RECEIVER)).toBe("token-3");
    expect(await logOut({ ...client, baseUrl }, store)).toBe(true);
    expect(await logOut({ ...client, baseUrl }, store)).toBe(false);
  });

  test.each([
    ["access_denied", "The login of orders-api was refused."],
    ["expired_token", "Nobody approved the login of orders-api in time."],
    ["invalid_client", "answered invalid_client"],
  ])("%s ends a login on a device", async (error, message) => {
    const server = await started(() => ({ status: 400, body: { error } }));
    const store = fileTokenStore(await folderOfTest());
    const { finished } = await startLogin({ ...ofPerson(server.url), baseUrl }, { store });
    await expect(finished).rejects.toThrow(message);
  });

  test("a login in a browser accepts only the request with its state", async () => {
    const server = await started((form, count) =>
      fresh(count, { refresh_token: `${form.get("code")} ${form.get("code_verifier")?.length}` }),
    );
    const store = fileTokenStore(await folderOfTest());
    const client = ofPerson(server.url, "authorizationCode");
    const { request, finished } = await startLogin({ ...client, baseUrl }, { store });
    const callback = new URL(request.url).searchParams.get("redirect_uri") ?? "";
    for (const foreign of [`${callback}?code=stolen&state=other`, `${callback}?code=stolen`, new URL("/", callback)]) {
      expect((await fetch(foreign)).status).toBe(404);
    }
    expect(await (await fetch(request.url)).text()).toBe("orders-api: you are logged in. You can close this page.\n");
    await finished;
    expect(server.requests).toHaveLength(1);
    expect(await store.read(createTokenKey(client, RECEIVER))).toMatchObject({
      accessToken: "token-1",
      refreshToken: "the-code 43",
    });
  });

  test("a person may refuse a login in a browser, and a host may end it", async () => {
    const server = await started((_form, count) => fresh(count));
    const store = fileTokenStore(await folderOfTest());
    const client = ofPerson(server.url, "authorizationCode");
    const { request, finished } = await startLogin({ ...client, baseUrl }, { store });
    const { searchParams } = new URL(request.url);
    await fetch(`${searchParams.get("redirect_uri")}?error=access_denied&state=${searchParams.get("state")}`);
    await expect(finished).rejects.toThrow("The login of orders-api was refused.");

    const end = new AbortController();
    const ended = await startLogin({ ...client, baseUrl }, { store, signal: end.signal });
    end.abort();
    await expect(ended.finished).rejects.toThrow("Nobody approved");
  });
});

describe("what is stored", () => {
  test.skipIf(process.platform === "win32")(
    "stored tokens are for this user only; a file that others can read counts as absent",
    async () => {
      const folder = join(await folderOfTest(), "tokens");
      const store = fileTokenStore(folder);
      await store.write("key", { accessToken: "a" });
      expect(await readdir(folder)).toEqual(["key.json"]);
      expect([(await stat(folder)).mode & 0o777, (await stat(join(folder, "key.json"))).mode & 0o777]).toEqual([
        0o700, 0o600,
      ]);
      expect(await store.read("key")).toEqual({ accessToken: "a" });
      await symlink(join(folder, "key.json"), join(folder, "link.json"));
      expect(await store.read("link")).toBeUndefined();
      await chmod(join(folder, "key.json"), 0o640);
      expect(await store.read("key")).toBeUndefined();
      for (const damaged of ["", "{", "[]", '{"accessToken":1}', '{"accessToken":"a","expiresAt":"soon"}']) {
        await writeFile(join(folder, "bad.json"), damaged, { mode: 0o600 });
        expect(await store.read("bad")).toBeUndefined();
      }
    },
  );

  test("removes the lock of a dead process", async () => {
    const folder = await folderOfTest();
    await writeFile(join(folder, "key.lock"), "");
    await utimes(join(folder, "key.lock"), new Date(0), new Date(0));
    expect(await fileTokenStore(folder).exclusively("key", async () => "done")).toBe("done");
    expect(await readdir(folder)).toEqual([]);
  });

  test("runs the work of one key one at a time, in all stores of a folder, even after a failure", async () => {
    const folder = await folderOfTest();
    let running = 0;
    const most: number[] = [];
    const results = await Promise.allSettled(
      Array.from({ length: 12 }, (_, index) =>
        fileTokenStore(folder).exclusively("key", async () => {
          most.push(++running);
          await new Promise((resolve) => setTimeout(resolve, 5));
          running -= 1;
          if (index % 3 === 0) throw new Error("failed");
        }),
      ),
    );
    expect(Math.max(...most)).toBe(1);
    expect(results.filter(({ status }) => status === "rejected")).toHaveLength(4);
  });

  test("uses the keyring if there is one, and files if it fails", async () => {
    const held = new Map<string, string>();
    class AsyncEntry {
      readonly #name: string;
      constructor(service: string, name: string) {
        this.#name = `${service}/${name}`;
      }
      setPassword = async (text: string) => void held.set(this.#name, text);
      getPassword = async () => held.get(this.#name) ?? null;
      deletePassword = async () => held.delete(this.#name);
    }
    const keyring = openSystemKeyring(async () => ({ AsyncEntry }));
    expect(await keyring.write("key", "text")).toBe(true);
    expect([...held]).toEqual([["hasp/key", "text"]]);
    expect([await keyring.read("key"), await keyring.remove("key"), await keyring.read("key")]).toEqual([
      "text",
      true,
      undefined,
    ]);

    const broken = openSystemKeyring(async () => {
      throw new Error("not installed");
    });
    expect([await broken.write("key", "text"), await broken.read("key"), await broken.remove("key")]).toEqual([
      false,
      undefined,
      false,
    ]);

    const folder = await folderOfTest();
    const store = tokenStore({ folder, keyring: false });
    await store.write("key", { accessToken: "a" });
    expect([await store.read("key"), await store.remove("key"), await store.read("key")]).toEqual([
      { accessToken: "a" },
      true,
      undefined,
    ]);
  });
});
