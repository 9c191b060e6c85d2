import { checkClient, type OauthClient } from "./oauth-client.js";
import { logInOnDevice } from "./log-in-on-device.js";
import { logInWithBrowser } from "./log-in-with-browser.js";
import { tokenKey } from "./token-key.js";
import type { StoredTokens, TokenStore } from "./token-store.js";

/** Instructions for the person who approves a login. */
export interface LoginRequest {
  readonly url: string;
  /** The code to type there, if the page asks for one. */
  readonly code?: string;
  /** An ISO date. */
  readonly expiresAt: string;
}

export interface LoginOptions {
  readonly store: TokenStore;
  readonly signal?: AbortSignal;
}

/** A login that waits for a person. */
export interface Login {
  readonly request: LoginRequest;
  /**
   * Settles when the tokens are stored. Rejects with `NotExecuted` if there are none: refused, too late, unreachable.
   */
  readonly finished: Promise<void>;
}

/** Starts a person's login: what to show, and the tokens it yields. */
export type LoginFlow = (
  client: OauthClient,
  signal: AbortSignal | undefined,
) => Promise<{ readonly request: LoginRequest; readonly tokens: Promise<StoredTokens> }>;

const FLOWS: { readonly [Flow in OauthClient["flow"]]: LoginFlow | undefined } = {
  clientCredentials: undefined,
  deviceCode: logInOnDevice,
  authorizationCode: logInWithBrowser,
};

/**
 * Lets a person approve a connection. Its tokens are stored, and every process with this store uses and renews them.
 * Rejects with `NotExecuted` if the server cannot be reached or a variable is not set, and with a `TypeError` for the
 * flow `clientCredentials`, which needs no person.
 */
export async function startLogin(client: OauthClient, { store, signal }: LoginOptions): Promise<Login> {
  checkClient(client);
  const flow = FLOWS[client.flow];
  if (flow === undefined) throw new TypeError(`The connection ${client.name} needs no login: it has its own secret.`);
  const key = tokenKey(client);
  const { request, tokens } = await flow(client, signal);
  const finished = tokens.then(async (received) => store.exclusively(key, () => store.write(key, received)));
  // Until it is awaited, nobody handles a failure.
  finished.catch(() => {});
  return { request, finished };
}

/** Forgets the tokens of a connection. Returns true if there were any. */
export async function logOut(client: OauthClient, store: TokenStore): Promise<boolean> {
  return store.exclusively(tokenKey(client), () => store.remove(tokenKey(client)));
}
