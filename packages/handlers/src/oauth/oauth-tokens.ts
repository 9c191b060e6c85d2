import * as oauth from "oauth4webapi";
import { NotExecuted } from "@hasp/runtime";
import type { Redactor, TokenSource } from "@hasp/runtime/internal";
import { accessServer, createTokenParameters, type ServerAccess } from "./authorization-server.js";
import { checkClient, type OauthClient } from "./oauth-client.js";
import { createStoredTokens, createTokenKey, type StoredTokens, type TokenStore } from "./token-store.js";

const RENEW_BEFORE_MS = 30_000;

export interface OauthTokensOptions extends OauthClient {
  readonly store?: TokenStore;
}

/**
 * Provides the access tokens of a connection. Concurrent calls share one renewal. Throws a `TypeError` if the options
 * contradict each other; the environment and the store are read on the first call.
 */
export function oauthTokens(options: OauthTokensOptions): TokenSource {
  checkClient(options);
  const { store } = options;
  if (options.flow !== "clientCredentials" && store === undefined) {
    throw new TypeError(`The flow ${options.flow} of ${options.name} needs a \`store\`, such as tokenStore().`);
  }
  let held: StoredTokens | undefined;
  let refused: string | undefined;
  let renewal: Promise<StoredTokens> | undefined;
  let secrets: Redactor | undefined;

  const isUsable = (tokens: StoredTokens | undefined): tokens is StoredTokens =>
    tokens !== undefined && tokens.accessToken !== refused && !expiresSoon(tokens);

  async function renew(): Promise<StoredTokens> {
    const access = await accessServer(options);
    secrets = access.secrets;
    if (store === undefined) return requestWithSecret(options, access);
    const key = createTokenKey(options);
    return store.exclusively(key, async () => {
      const stored = await store.read(key);
      access.secrets.add(stored?.accessToken ?? "");
      access.secrets.add(stored?.refreshToken ?? "");
      if (isUsable(stored)) return stored;
      return refresh(options, access, stored, store, key);
    });
  }

  return {
    async token(signal) {
      if (isUsable(held)) return held.accessToken;
      renewal ??= renew().finally(() => {
        renewal = undefined;
      });
      held = await unlessAborted(renewal, signal);
      return held.accessToken;
    },
    refused(token) {
      refused = token;
    },
    get secrets() {
      return secrets?.secrets ?? [];
    },
  };
}

function expiresSoon({ expiresAt }: StoredTokens): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) - Date.now() < RENEW_BEFORE_MS;
}

async function requestWithSecret(options: OauthClient, access: ServerAccess): Promise<StoredTokens> {
  const { server, client, authentication, secrets } = access;
  try {
    const response = await oauth.clientCredentialsGrantRequest(
      server,
      client,
      authentication,
      createTokenParameters(options),
      access.options(),
    );
    return createStoredTokens(await oauth.processClientCredentialsResponse(server, client, response), secrets);
  } catch (error) {
    throw access.refusal(error);
  }
}

async function refresh(
  options: OauthClient,
  access: ServerAccess,
  stored: StoredTokens | undefined,
  store: TokenStore,
  key: string,
): Promise<StoredTokens> {
  if (stored?.refreshToken === undefined) {
    throw needsLogin(options, stored === undefined ? "has no token" : "has a token that expired");
  }
  const { client, authentication, secrets } = access;
  const server = { ...access.server, ...(options.refreshUrl !== undefined && { token_endpoint: options.refreshUrl }) };
  let renewed: StoredTokens;
  try {
    const response = await oauth.refreshTokenGrantRequest(
      server,
      client,
      authentication,
      stored.refreshToken,
      access.options(),
    );
    renewed = createStoredTokens(await oauth.processRefreshTokenResponse(server, client, response), secrets);
  } catch (error) {
    if (!(error instanceof oauth.ResponseBodyError && error.error === "invalid_grant")) throw access.refusal(error);
    // Another process may have taken this one's lock for a dead one's, and used the refresh token first.
    const latest = await store.read(key);
    if (latest !== undefined && latest.refreshToken !== stored.refreshToken) return latest;
    await store.remove(key);
    throw needsLogin(options, "has a token that was revoked");
  }
  // A server that does not rotate refresh tokens sends none: the old one stays valid (RFC 6749, 6).
  const tokens = { refreshToken: stored.refreshToken, ...renewed };
  await store.write(key, tokens);
  return tokens;
}

function needsLogin({ name }: OauthClient, what: string): NotExecuted {
  return new NotExecuted(`The connection ${name} ${what}. A person must run \`hasp login ${name}\` first.`);
}

/** Waits for a shared renewal: an abort ends the wait, not the renewal. */
async function unlessAborted<Value>(value: Promise<Value>, signal: AbortSignal): Promise<Value> {
  signal.throwIfAborted();
  let stop = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([value, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
