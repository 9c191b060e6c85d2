import { NotExecuted } from "@hasp/runtime";
import { readTarget } from "@hasp/base/declared";
import { createAddressReader, type HttpBaseUrl } from "../http/service-address.js";
import { setTimeout as wait } from "node:timers/promises";
import * as oauth from "oauth4webapi";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { checkClient, type OauthClient } from "./oauth-client.js";
import {
  createTokenKey,
  createUnboundKey,
  fromNow,
  type StoredTokens,
  type TokenStore,
  createStoredTokens,
} from "./token-store.js";
import { accessServer, createTokenParameters, type ServerAccess } from "./authorization-server.js";

interface LoginRequest {
  readonly url: string;
  /** The code to type there, if the page asks for one. */
  readonly code?: string;
  /** An ISO date. */
  readonly expiresAt: string;
}

/** The client of a connection to which a person logs in. */
export interface LoginClient extends OauthClient {
  /** The address of the connection, whose origin alone receives the tokens. */
  readonly baseUrl: HttpBaseUrl;
}

export interface LoginOptions {
  readonly store: TokenStore;
  readonly signal?: AbortSignal;
}

export interface Login {
  readonly request: LoginRequest;
  /** The origin to which calls send the tokens. */
  readonly receiver: string;
  /** Settles when the tokens are stored. Rejects with `NotExecuted` if the login was refused, late or unreachable. */
  readonly finished: Promise<void>;
}

/** One way to log in, by the client's `flow`. */
type LoginFlow = (
  client: OauthClient,
  signal: AbortSignal,
) => Promise<{ readonly request: LoginRequest; readonly tokens: Promise<StoredTokens> }>;

/**
 * Lets a person approve a connection; every process with this store then uses and renews its tokens, for calls to this
 * origin. Rejects with `NotExecuted` if the server cannot be reached or a variable is not set, and with a `TypeError`
 * for the flow `clientCredentials`, which needs no person.
 */
export async function startLogin(
  client: LoginClient,
  { store, signal = new AbortController().signal }: LoginOptions,
): Promise<Login> {
  checkClient(client);
  const flow = FLOWS[client.flow];
  if (flow === undefined) throw new TypeError(`The connection ${client.name} needs no login: it has its own secret.`);
  const receiver = createAddressReader(client.baseUrl, client.name)().origin.origin;
  const key = createTokenKey(client, receiver);
  const { request, tokens } = await flow(client, signal);
  const finished = tokens.then(async (received) => {
    await forget(createUnboundKey(client), store);
    await store.exclusively(key, () => store.write(key, received));
  });
  // Until it is awaited, nobody handles a failure.
  finished.catch(() => {});
  return { request, receiver, finished };
}

/** Forgets the tokens of a connection, for each of its addresses. Returns true if there were any. */
export async function logOut(client: LoginClient, store: TokenStore): Promise<boolean> {
  const { baseUrl } = client;
  const addresses = typeof baseUrl === "string" ? [baseUrl] : baseUrl.allowed;
  const keys = addresses.map((address) => createTokenKey(client, new URL(address).origin));
  const wereThere = await Promise.all([createUnboundKey(client), ...keys].map((key) => forget(key, store)));
  return wereThere.includes(true);
}

async function forget(key: string, store: TokenStore): Promise<boolean> {
  return store.exclusively(key, () => store.remove(key));
}

function notApproved({ name }: OauthClient, what: "refused" | "expired"): NotExecuted {
  return new NotExecuted(
    what === "refused"
      ? `The login of ${name} was refused.`
      : `Nobody approved the login of ${name} in time. Run \`hasp login ${name}\` again.`,
  );
}

const LOGIN_MS = 10 * 60 * 1000;

const CALLBACK_PATH = "/callback";

/** Sends a person to the server, which redirects to a port of this machine (RFC 8252, 7.3), with PKCE (RFC 7636). */
const logInWithBrowser: LoginFlow = async (client, signal) => {
  const access = await accessServer(client);
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const attempt: LoginAttempt = {
    redirectUri: `http://127.0.0.1:${(server.address() as AddressInfo).port}${CALLBACK_PATH}`,
    state: oauth.generateRandomState(),
    verifier: oauth.generateRandomCodeVerifier(),
    signal,
  };
  const page = new URL(access.server.authorization_endpoint ?? "");
  const parameters = {
    response_type: "code",
    client_id: access.client.client_id,
    redirect_uri: attempt.redirectUri,
    state: attempt.state,
    code_challenge: await oauth.calculatePKCECodeChallenge(attempt.verifier),
    code_challenge_method: "S256",
    ...createTokenParameters(client),
  };
  for (const [name, value] of Object.entries(parameters)) page.searchParams.set(name, value);
  const tokens = receiveCallback(server, client, access, attempt)
    .then(async (parameters) => redeem(access, attempt, parameters))
    .finally(() => {
      server.close();
      server.closeAllConnections();
    });
  return { request: { url: page.href, expiresAt: fromNow(LOGIN_MS) }, tokens };
};

interface LoginAttempt {
  readonly redirectUri: string;
  readonly state: string;
  readonly verifier: string;
  readonly signal: AbortSignal;
}

/** Returns the parameters of the one request with this login's `state`; any other request is turned away. */
async function receiveCallback(
  server: Server,
  client: OauthClient,
  access: ServerAccess,
  { state, signal }: LoginAttempt,
): Promise<URLSearchParams> {
  const limit = AbortSignal.any([AbortSignal.timeout(LOGIN_MS), signal]);
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(notApproved(client, "expired"));
    if (limit.aborted) stop();
    limit.addEventListener("abort", stop, { once: true });
    server.on("request", (request, response) => {
      const parameters = callbackParameters(request);
      if (parameters === undefined || parameters.get("state") !== state) return answer(response, 404, "Not found.");
      try {
        // The issuer of an answer can be checked only if the configuration states it (RFC 9207).
        if (client.issuer === undefined && client.discoveryUrl === undefined) parameters.delete("iss");
        resolve(oauth.validateAuthResponse(access.server, access.client, parameters, state));
        answer(response, 200, `${client.name}: you are logged in. You can close this page.`);
      } catch (error) {
        answer(response, 400, `${client.name}: the login failed. The terminal says why.`);
        const wasRefused = error instanceof oauth.AuthorizationResponseError && error.error === "access_denied";
        reject(wasRefused ? notApproved(client, "refused") : access.refusal(error));
      }
    });
  });
}

function callbackParameters({ method, url }: IncomingMessage): URLSearchParams | undefined {
  const target = readTarget(url);
  return method === "GET" && target?.pathname === CALLBACK_PATH ? target.searchParams : undefined;
}

function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    "content-type": "text/plain; charset=utf-8",
    "cache-control": "no-store",
    connection: "close",
  });
  response.end(`${text}\n`);
}

async function redeem(
  { server, client, authentication, secrets, options: requestOptions, refusal }: ServerAccess,
  { redirectUri, verifier, signal }: LoginAttempt,
  parameters: URLSearchParams,
): Promise<StoredTokens> {
  secrets.add(verifier);
  secrets.add(parameters.get("code") ?? "");
  try {
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      authentication,
      parameters,
      redirectUri,
      verifier,
      requestOptions(signal),
    );
    return createStoredTokens(await oauth.processAuthorizationCodeResponse(server, client, response), secrets);
  } catch (error) {
    throw refusal(error);
  }
}

/** Seconds between two polls if the server names none, and the increment of "slow down" (RFC 8628, 3.2 and 3.5). */
const DEFAULT_INTERVAL = 5;

const SLOW_DOWN = 5;

/** Gets a code, and polls until a person has typed it (RFC 8628). */
const logInOnDevice: LoginFlow = async (options, signal) => {
  const access = await accessServer(options);
  const { server, client, authentication, secrets, refusal } = access;
  try {
    const response = await oauth.deviceAuthorizationRequest(
      server,
      client,
      authentication,
      createTokenParameters(options),
      access.options(signal),
    );
    const code = await oauth.processDeviceAuthorizationResponse(server, client, response);
    secrets.add(code.device_code);
    return {
      request: { url: code.verification_uri, code: code.user_code, expiresAt: fromNow(code.expires_in * 1000) },
      tokens: waitForTokens(options, access, code, signal),
    };
  } catch (error) {
    throw refusal(error);
  }
};

async function waitForTokens(
  options: OauthClient,
  { server, client, authentication, secrets, options: requestOptions, refusal }: ServerAccess,
  code: oauth.DeviceAuthorizationResponse,
  signal: AbortSignal,
): Promise<StoredTokens> {
  const expiry = Date.now() + code.expires_in * 1000;
  let seconds = code.interval ?? DEFAULT_INTERVAL;
  while (Date.now() < expiry) {
    await wait(seconds * 1000, undefined, { signal });
    try {
      const response = await oauth.deviceCodeGrantRequest(
        server,
        client,
        authentication,
        code.device_code,
        requestOptions(signal),
      );
      return createStoredTokens(await oauth.processDeviceCodeResponse(server, client, response), secrets);
    } catch (error) {
      const answer = error instanceof oauth.ResponseBodyError ? error.error : undefined;
      if (answer === "access_denied") throw notApproved(options, "refused");
      if (answer === "expired_token") break;
      if (answer === "slow_down") seconds += SLOW_DOWN;
      else if (answer !== "authorization_pending") throw refusal(error);
    }
  }
  throw notApproved(options, "expired");
}

const FLOWS: { readonly [Flow in OauthClient["flow"]]: LoginFlow | undefined } = {
  clientCredentials: undefined,
  deviceCode: logInOnDevice,
  authorizationCode: logInWithBrowser,
};
