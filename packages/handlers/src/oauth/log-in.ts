import { checkClient, type OauthClient } from "./oauth-client.js";
import { logInOnDevice } from "./log-in-on-device.js";
import { logInWithBrowser } from "./log-in-with-browser.js";
import { tokenKey } from "./token-key.js";
import type { StoredTokens, TokenStore } from "./token-store.js";

/** What a person needs to approve a login. */
export interface LoginRequest {
  /** The page to open. */
  readonly url: string;
  /** The code to type there, if the page asks for one. */
  readonly code?: string;
  /** An ISO date after which the request is void. */
  readonly expiresAt: string;
}

/** Settings of {@link startLogin}. */
export interface LoginOptions {
  readonly store: TokenStore;
  /** Ends the login. */
  readonly signal?: AbortSignal;
}

/** A login that waits for a person. */
export interface Login {
  /** What to show the person. */
  readonly request: LoginRequest;
  /**
   * Settles when the tokens are stored. Rejects with `NotExecuted` that says why there are none: refused, too late,
   * unreachable.
   */
  readonly finished: Promise<void>;
}

/** A person's way to tokens: what to show, and the tokens that come of it. */
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
 * flow `clientCredentials`, which needs nobody.
 */
export async function startLogin(client: OauthClient, { store, signal }: LoginOptions): Promise<Login> {
  checkClient(client);
  const flow = FLOWS[client.flow];
  if (flow === undefined) throw new TypeError(`The connection ${client.name} needs no login: it has its own secret.`);
  const key = tokenKey(client);
  const { request, tokens } = await flow(client, signal);
  const finished = tokens.then(async (received) => store.exclusively(key, () => store.write(key, received)));
  // Until it is awaited, a failure has nobody to go to.
  finished.catch(() => {});
  return { request, finished };
}

/** Forgets the tokens of a connection; returns whether there were any. */
export async function logOut(client: OauthClient, store: TokenStore): Promise<boolean> {
  return store.exclusively(tokenKey(client), () => store.remove(tokenKey(client)));
}
