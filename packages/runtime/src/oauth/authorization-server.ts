import * as oauth from "oauth4webapi";
import { NotExecuted } from "../results/tool-result.js";
import { isThisMachine, readCredentials, type OauthClient } from "./oauth-client.js";

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
  options(url: string, signal?: AbortSignal): RequestOptions;
  /** Says in one sentence, without secrets, why the server gave no token. */
  refusal(error: unknown): NotExecuted;
}

interface RequestOptions {
  readonly signal: AbortSignal;
  readonly [oauth.customFetch]: typeof boundedFetch;
  readonly [oauth.allowInsecureRequests]: boolean;
}

/** Prepares requests to a client's server; reads the environment. Throws {@link NotExecuted} if a variable is missing. */
export function accessServer(client: OauthClient): ServerAccess {
  const { clientId, clientSecret } = readCredentials(client);
  const { origin } = new URL(client.tokenUrl);
  return {
    server: {
      issuer: client.issuer ?? origin,
      token_endpoint: client.tokenUrl,
      ...(client.authorizationUrl !== undefined && { authorization_endpoint: client.authorizationUrl }),
      ...(client.deviceAuthorizationUrl !== undefined && {
        device_authorization_endpoint: client.deviceAuthorizationUrl,
      }),
    },
    client: { client_id: clientId },
    authentication: authenticationOf(client, clientSecret),
    options: (url, signal) => ({
      signal: AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), ...(signal === undefined ? [] : [signal])]),
      [oauth.customFetch]: boundedFetch,
      [oauth.allowInsecureRequests]: isThisMachine(new URL(url)),
    }),
    refusal: (error) => refusalOf(client, error, clientSecret),
  };
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
    return `the authorization server's answer is not one that OAuth knows (${plain(error.code ?? "no code")})`;
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
