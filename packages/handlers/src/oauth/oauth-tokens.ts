import * as oauth from "oauth4webapi";
import { findOrAdd, dropUndefined } from "@hasp/base/json";
import { NotExecuted } from "@hasp/runtime";
import { type Redactor, type TokenSource, untilAborted } from "@hasp/runtime/internal";
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
  const entries = new Map<string, TokenEntry>();
  let refused: string | undefined;
  let secrets: Redactor | undefined;

  const isUsable = (tokens: StoredTokens | undefined): tokens is StoredTokens =>
    tokens !== undefined && tokens.accessToken !== refused && !expiresSoon(tokens);

  async function renew(receiver: string): Promise<StoredTokens> {
    const access = await accessServer(options);
    secrets = access.secrets;
    if (store === undefined) return requestWithSecret(options, access);
    const key = createTokenKey(options, receiver);
    return store.exclusively(key, async () => {
      const stored = await store.read(key);
      access.secrets.add(stored?.accessToken ?? "");
      access.secrets.add(stored?.refreshToken ?? "");
      if (isUsable(stored)) return stored;
      if (stored !== undefined) return refresh(options, access, stored, store, key);
      throw needsLogin(options, `has no token for ${receiver}`);
    });
  }

  return {
    async token(signal, origin) {
      const entry = findOrAdd(entries, origin, (): TokenEntry => ({}));
      if (isUsable(entry.held)) return entry.held.accessToken;
      entry.renewal ??= renew(origin).finally(() => {
        entry.renewal = undefined;
      });
      // An abort ends the wait, not the renewal.
      entry.held = await untilAborted(entry.renewal, signal);
      return entry.held.accessToken;
    },
    refused(token) {
      refused = token;
    },
    get secrets() {
      return secrets?.secrets ?? [];
    },
  };
}

interface TokenEntry {
  held?: StoredTokens;
  renewal?: Promise<StoredTokens> | undefined;
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
  stored: StoredTokens,
  store: TokenStore,
  key: string,
): Promise<StoredTokens> {
  if (stored.refreshToken === undefined) throw needsLogin(options, "has a token that expired");
  const { client, authentication, secrets } = access;
  const server = { ...access.server, ...dropUndefined({ token_endpoint: options.refreshUrl }) };
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
