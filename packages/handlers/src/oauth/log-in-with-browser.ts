import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import * as oauth from "oauth4webapi";
import { accessServer, tokenParameters, type ServerAccess } from "./authorization-server.js";
import type { LoginFlow } from "./log-in.js";
import { notApproved } from "./not-approved.js";
import type { OauthClient } from "./oauth-client.js";
import { storedTokens } from "./stored-tokens.js";
import type { StoredTokens } from "./token-store.js";

const LOGIN_MS = 10 * 60 * 1000;
const CALLBACK_PATH = "/callback";

/**
 * Sends a person to the authorization server, which redirects the browser to a port of this machine (RFC 8252, 7.3),
 * with PKCE (RFC 7636) and a `state` of this login.
 */
export const logInWithBrowser: LoginFlow = async (client, signal) => {
  const access = await accessServer(client);
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const attempt: Attempt = {
    redirectUri: `http://127.0.0.1:${(server.address() as AddressInfo).port}${CALLBACK_PATH}`,
    state: oauth.generateRandomState(),
    verifier: oauth.generateRandomCodeVerifier(),
    signal,
  };
  const request = {
    url: await loginPage(client, access, attempt),
    expiresAt: new Date(Date.now() + LOGIN_MS).toISOString(),
  };
  const tokens = receiveCallback(server, client, access, attempt)
    .then(async (parameters) => redeem(access, attempt, parameters))
    .finally(() => {
      server.close();
      server.closeAllConnections();
    });
  return { request, tokens };
};

/** One login: its redirect address, and the secrets that identify it. */
interface Attempt {
  readonly redirectUri: string;
  readonly state: string;
  readonly verifier: string;
  readonly signal: AbortSignal | undefined;
}

async function loginPage(
  client: OauthClient,
  { server, client: { client_id } }: ServerAccess,
  { redirectUri, state, verifier }: Attempt,
): Promise<string> {
  const url = new URL(server.authorization_endpoint ?? "");
  const parameters = {
    response_type: "code",
    client_id,
    redirect_uri: redirectUri,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    ...tokenParameters(client),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/**
 * Waits for the one request that belongs to this login and returns its parameters; any other request is turned away.
 */
async function receiveCallback(
  server: Server,
  client: OauthClient,
  access: ServerAccess,
  { state, signal }: Attempt,
): Promise<URLSearchParams> {
  const limit = AbortSignal.any([AbortSignal.timeout(LOGIN_MS), ...(signal === undefined ? [] : [signal])]);
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(notApproved(client, "expired"));
    if (limit.aborted) stop();
    limit.addEventListener("abort", stop, { once: true });
    server.on("request", (request, response) => {
      const parameters = callbackParameters(request);
      // Without the state of this login, the request is not ours.
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

function callbackParameters({ method, url = "" }: IncomingMessage): URLSearchParams | undefined {
  const { pathname, searchParams } = new URL(url, "http://127.0.0.1");
  return method === "GET" && pathname === CALLBACK_PATH ? searchParams : undefined;
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
  { redirectUri, verifier, signal }: Attempt,
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
    return storedTokens(await oauth.processAuthorizationCodeResponse(server, client, response), secrets);
  } catch (error) {
    throw refusal(error);
  }
}
