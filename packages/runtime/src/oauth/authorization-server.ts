import * as oauth from "oauth4webapi";
import { NotExecuted } from "../results/tool-result.js";
import { isSafe, isThisMachine, readCredentials, WELL_KNOWN, type OauthClient } from "./oauth-client.js";

/** The longest that one request to the server may take. */
const TIMEOUT_MS = 30_000;
/** More than any token answer needs. */
const MOST_BYTES = 256 * 1024;
const MOST_DESCRIPTION_CHARS = 200;

/** One authorization server and one client of it, as oauth4webapi wants to hear of them. */
export interface ServerAccess {
  readonly server: oauth.AuthorizationServer;
  readonly client: oauth.Client;
  readonly authentication: oauth.ClientAuth;
  /** Options of a request that may be stopped. */
  options(signal?: AbortSignal): RequestOptions;
  /** Says in one sentence, without secrets, why the server gave no token. */
  refusal(error: unknown): NotExecuted;
}

interface RequestOptions {
  readonly signal: AbortSignal;
  readonly [oauth.customFetch]: typeof boundedFetch;
  readonly [oauth.allowInsecureRequests]: boolean;
}

/**
 * Prepares requests to a client's server: reads the environment and, where the client names only that, the server's
 * metadata. Rejects with {@link NotExecuted} if a variable is missing or the metadata cannot be had.
 */
export async function accessServer(client: OauthClient): Promise<ServerAccess> {
  const { clientId, clientSecret } = readCredentials(client);
  const refusal = (error: unknown): NotExecuted => refusalOf(client, error, clientSecret);
  const server = await serverOf(client).catch((error: unknown) => {
    throw refusal(error);
  });
  const isLocal = isThisMachine(new URL(server.token_endpoint ?? ""));
  return {
    server,
    client: { client_id: clientId },
    authentication: authenticationOf(client, clientSecret),
    options: (signal) => ({
      signal: AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), ...(signal === undefined ? [] : [signal])]),
      [oauth.customFetch]: boundedFetch,
      [oauth.allowInsecureRequests]: isLocal,
    }),
    refusal,
  };
}

/** The addresses of a server: those that its metadata states, unless the client states others. */
async function serverOf(client: OauthClient): Promise<oauth.AuthorizationServer> {
  const { discoveryUrl, tokenUrl, issuer, authorizationUrl, deviceAuthorizationUrl } = client;
  const found = discoveryUrl === undefined ? undefined : await discover(discoveryUrl);
  const server = {
    ...(found ?? { issuer: issuer ?? new URL(tokenUrl ?? "").origin }),
    ...(tokenUrl !== undefined && { token_endpoint: tokenUrl }),
    ...(authorizationUrl !== undefined && { authorization_endpoint: authorizationUrl }),
    ...(deviceAuthorizationUrl !== undefined && { device_authorization_endpoint: deviceAuthorizationUrl }),
  };
  const needed: { readonly [Flow in OauthClient["flow"]]: string | undefined } = {
    clientCredentials: server.token_endpoint,
    deviceCode: server.device_authorization_endpoint,
    authorizationCode: server.authorization_endpoint,
  };
  for (const address of [server.token_endpoint, needed[client.flow]]) {
    if (address === undefined || !isSafe(address)) {
      throw new NotExecuted(
        `The metadata at ${discoveryUrl} contains no https URL that the flow ${client.flow} of ${client.name} needs.`,
      );
    }
  }
  return server;
}

/** Reads a server's metadata (OpenID Connect Discovery 1.0, RFC 8414), which must bear the name of where it is. */
async function discover(discoveryUrl: string): Promise<oauth.AuthorizationServer> {
  const response = await boundedFetch(discoveryUrl, {
    redirect: "manual",
    headers: { accept: "application/json" },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  return oauth.processDiscoveryResponse(new URL(discoveryUrl.replace(WELL_KNOWN, "")), response);
}

/** What a request for tokens asks for: scopes, and the API they are for. */
export function tokenParameters({ scopes = [], audience }: OauthClient): Record<string, string> {
  return {
    ...(scopes.length > 0 && { scope: scopes.join(" ") }),
    ...(audience !== undefined && { audience }),
  };
}

function authenticationOf(client: OauthClient, secret: string | undefined): oauth.ClientAuth {
  if (secret === undefined) return oauth.None();
  return client.sendSecretIn === "body" ? oauth.ClientSecretPost(secret) : oauth.ClientSecretBasic(secret);
}

/** `fetch`, which refuses long answers. oauth4webapi asks it not to follow redirects. */
async function boundedFetch(url: string, options: RequestInit): Promise<Response> {
  const response = await fetch(url, options);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > MOST_BYTES) throw new Error(`the answer is longer than ${MOST_BYTES} bytes`);
    chunks.push(chunk);
  }
  return new Response(chunks.length === 0 ? null : Buffer.concat(chunks), response);
}

function refusalOf(client: OauthClient, error: unknown, secret: string | undefined): NotExecuted {
  if (error instanceof NotExecuted) return error;
  return new NotExecuted(`The connection ${client.name} got no token: ${reasonOf(error, secret)}.`);
}

/** The error itself is never passed on: it holds the answer, and with it what the server may echo. */
function reasonOf(error: unknown, secret: string | undefined): string {
  if (error instanceof oauth.ResponseBodyError) {
    const description = descriptionOf(error, secret);
    return `the authorization server answered ${plain(error.error)}${description === "" ? "" : ` (${description})`}`;
  }
  if (error instanceof oauth.WWWAuthenticateChallengeError) {
    return `the authorization server answered with the status ${error.status}; check the client's id and secret`;
  }
  if (error instanceof DOMException && error.name === "TimeoutError") {
    return `the authorization server did not answer within ${TIMEOUT_MS / 1000} seconds`;
  }
  if (error instanceof DOMException && error.name === "AbortError") return "the call was aborted";
  if (error instanceof oauth.OperationProcessingError) {
    return `the authorization server's answer is not valid in OAuth (${plain(error.code ?? "no code")})`;
  }
  return "the authorization server cannot be reached";
}

function descriptionOf(error: oauth.ResponseBodyError, secret: string | undefined): string {
  const text = plain(error.error_description ?? "");
  return secret !== undefined && text.includes(secret) ? "" : text.slice(0, MOST_DESCRIPTION_CHARS);
}

/** Printable ASCII, to which the standard limits these texts (RFC 6749, 5.2). */
function plain(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, "");
}
