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

/** Settings of {@link logIn}. */
export interface LogInOptions {
  readonly store: TokenStore;
  /** Shows the person what to do; not awaited. */
  readonly show: (request: LoginRequest) => void;
  /** Ends the login. */
  readonly signal?: AbortSignal;
}

/** A person's way to tokens. */
export type LoginFlow = (client: OauthClient, options: Omit<LogInOptions, "store">) => Promise<StoredTokens>;

const FLOWS: { readonly [Flow in OauthClient["flow"]]: LoginFlow | undefined } = {
  clientCredentials: undefined,
  deviceCode: logInOnDevice,
  authorizationCode: logInWithBrowser,
};

/**
 * Lets a person approve a connection, and stores its tokens, which every process with this store then uses and renews.
 * Rejects with `NotExecuted` that says why there is no token: refused, too late, unreachable, a variable that is
 * not set. Throws a `TypeError` for the flow `clientCredentials`, which needs nobody.
 */
export async function logIn(client: OauthClient, { store, ...options }: LogInOptions): Promise<void> {
  checkClient(client);
  const flow = FLOWS[client.flow];
  if (flow === undefined) throw new TypeError(`The connection ${client.name} needs no login: it has its own secret.`);
  const tokens = await flow(client, options);
  await store.exclusively(tokenKey(client), () => store.write(tokenKey(client), tokens));
}

/** Forgets the tokens of a connection; answers whether there were any. */
export async function logOut(client: OauthClient, store: TokenStore): Promise<boolean> {
  return store.exclusively(tokenKey(client), () => store.remove(tokenKey(client)));
}
