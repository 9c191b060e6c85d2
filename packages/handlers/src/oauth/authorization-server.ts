import { dropUndefined } from "@hasp/base/json";
import { NotExecuted } from "@hasp/runtime";
import { Redactor } from "@hasp/runtime/internal";
import * as oauth from "oauth4webapi";
import { PrivateAddress } from "../http/network/vetted-client.js";
import { createVettedFetch, type PublicFetch } from "../http/public-fetch.js";
import {
  ADDRESSES,
  type EndpointSetting,
  isThisMachine,
  NEEDED,
  type OauthClient,
  readCredentials,
  WELL_KNOWN,
} from "./oauth-client.js";

const TIMEOUT_MS = 30_000;
const MOST_BYTES = 256 * 1024;
const MOST_DESCRIPTION_CHARS = 200;

export interface ServerAccess {
  readonly server: oauth.AuthorizationServer;
  readonly client: oauth.Client;
  readonly authentication: oauth.ClientAuth;
  readonly secrets: Redactor;
  options(signal?: AbortSignal): RequestOptions;
  /** Explains in one sentence, without secrets, why the server gave no token. */
  refusal(error: unknown): NotExecuted;
}

interface RequestOptions {
  readonly signal: AbortSignal;
  readonly [oauth.customFetch]: BoundedFetch;
  readonly [oauth.allowInsecureRequests]: boolean;
}

type BoundedFetch = (url: string, options: RequestInit) => Promise<Response>;

/** Prepares requests to a client's server. Rejects with {@link NotExecuted} if a variable or metadata is missing. */
export async function accessServer(client: OauthClient): Promise<ServerAccess> {
  const { clientId, clientSecret } = readCredentials(client);
  const secrets = new Redactor();
  if (clientSecret !== undefined) {
    secrets.add(clientSecret);
    secrets.add(btoa(`${formEncode(clientId)}:${formEncode(clientSecret)}`));
  }
  const refusal = (error: unknown): NotExecuted => refusalOf(client, error, secrets);
  const send = boundedFetch(createVettedFetch(client));
  const server = await serverOf(client, send).catch((error: unknown) => {
    throw refusal(error);
  });
  const isLocal = isThisMachine(new URL(server.token_endpoint ?? ""));
  return {
    server,
    client: { client_id: clientId },
    authentication: authenticationOf(client, clientSecret),
    secrets,
    options: (signal) => ({
      signal: AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), ...(signal === undefined ? [] : [signal])]),
      [oauth.customFetch]: send,
      [oauth.allowInsecureRequests]: isLocal,
    }),
    refusal,
  };
}

/** Encodes credentials for the `Authorization` header (RFC 6749, 2.3.1). */
function formEncode(text: string): string {
  return encodeURIComponent(text)
    .replaceAll(/[-_.!~*'()]/gu, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll("%20", "+");
}

/** Names the member of the metadata (RFC 8414) for each address that a client may state. */
const ENDPOINTS = {
  tokenUrl: "token_endpoint",
  authorizationUrl: "authorization_endpoint",
  deviceAuthorizationUrl: "device_authorization_endpoint",
} as const satisfies { readonly [setting in EndpointSetting]: keyof oauth.AuthorizationServer };

async function serverOf(client: OauthClient, send: BoundedFetch): Promise<oauth.AuthorizationServer> {
  const { discoveryUrl, tokenUrl, issuer } = client;
  const found = discoveryUrl === undefined ? undefined : await discover(discoveryUrl, send);
  const endpoints = NEEDED[client.flow].map((setting) => [
    ENDPOINTS[setting],
    client[setting] ?? discoveredEndpoint(client, found, setting),
  ]);
  return { ...(found ?? { issuer: issuer ?? new URL(tokenUrl ?? "").origin }), ...Object.fromEntries(endpoints) };
}

/**
 * Refuses an address that would send the client's secret elsewhere: it must be `https`, at the origin of the metadata
 * or of an address that the client states.
 */
function discoveredEndpoint(
  client: OauthClient,
  found: oauth.AuthorizationServer | undefined,
  setting: EndpointSetting,
): string {
  const endpoint = ENDPOINTS[setting];
  const address = found?.[endpoint];
  const url = address !== undefined && URL.canParse(address) ? new URL(address) : undefined;
  const origins = [...ADDRESSES, "issuer" as const].flatMap((each) => {
    const stated = client[each];
    return stated !== undefined && URL.canParse(stated) ? [new URL(stated).origin] : [];
  });
  if (url?.protocol === "https:" && origins.includes(url.origin)) return url.href;
  const what = url === undefined ? "has no" : `has another origin, or no https, in its`;
  throw new NotExecuted(
    `The metadata of ${client.name} ${what} ${endpoint}. Write the right address as \`${setting}\`.`,
  );
}

/** Reads a server's metadata (OpenID Connect Discovery 1.0, RFC 8414), which must name its own location. */
async function discover(discoveryUrl: string, send: BoundedFetch): Promise<oauth.AuthorizationServer> {
  const response = await send(discoveryUrl, {
    headers: { accept: "application/json" },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  return oauth.processDiscoveryResponse(new URL(discoveryUrl.replace(WELL_KNOWN, "")), response);
}

export function createTokenParameters({ scopes = [], audience }: OauthClient): Record<string, string> {
  return {
    ...(scopes.length > 0 && { scope: scopes.join(" ") }),
    ...dropUndefined({ audience }),
  };
}

function authenticationOf(client: OauthClient, secret: string | undefined): oauth.ClientAuth {
  if (secret === undefined) return oauth.None();
  return client.sendSecretIn === "body" ? oauth.ClientSecretPost(secret) : oauth.ClientSecretBasic(secret);
}

/** Creates a fetch that refuses long answers and follows no redirect. */
function boundedFetch(send: PublicFetch): BoundedFetch {
  return async (url, { method, headers, body, signal }) => {
    // oauth4webapi sends forms.
    const response = await send(url, { method, headers, body: body?.toString(), signal });
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of response.body ?? []) {
      size += chunk.byteLength;
      if (size > MOST_BYTES) throw new Error(`the answer is longer than ${MOST_BYTES} bytes`);
      chunks.push(chunk);
    }
    return new Response(chunks.length === 0 ? null : Buffer.concat(chunks), response);
  };
}

function refusalOf(client: OauthClient, error: unknown, secrets: Redactor): NotExecuted {
  if (error instanceof NotExecuted) return error;
  return new NotExecuted(`The connection ${client.name} got no token: ${reasonOf(error, secrets)}.`);
}

/** Describes an error for the model. The error itself holds the answer, which may echo secrets. */
function reasonOf(error: unknown, secrets: Redactor): string {
  if (error instanceof oauth.ResponseBodyError) {
    const code = ERROR_CODES.has(error.error) ? error.error : "an error that OAuth does not define";
    // Printable ASCII, to which the standard limits these texts (RFC 6749, 5.2).
    const printable = (error.error_description ?? "").replace(/[^\x20-\x7e]/g, "");
    const description = secrets.text(printable).slice(0, MOST_DESCRIPTION_CHARS);
    return `the authorization server answered ${code}${description === "" ? "" : ` (${description})`}`;
  }
  if (error instanceof oauth.WWWAuthenticateChallengeError) {
    return `the authorization server answered with the status ${error.status}; check the client's id and secret`;
  }
  if (error instanceof DOMException && error.name === "TimeoutError") {
    return `the authorization server did not answer within ${TIMEOUT_MS / 1000} seconds`;
  }
  if (error instanceof DOMException && error.name === "AbortError") return "the call was aborted";
  if (error instanceof oauth.OperationProcessingError) {
    return `the authorization server's answer is not valid in OAuth (${error.code ?? "no code"})`;
  }
  if (error instanceof PrivateAddress) return error.message;
  return "the authorization server cannot be reached";
}

/** The codes of IANA's registry "OAuth Extensions Error" and of RFC 6749. Other text could hold secrets. */
const ERROR_CODES: ReadonlySet<string> = new Set(
  (
    "invalid_request invalid_client invalid_grant unauthorized_client unsupported_grant_type invalid_scope " +
    "access_denied unsupported_response_type server_error temporarily_unavailable authorization_pending slow_down " +
    "expired_token invalid_target invalid_token insufficient_scope unsupported_token_type interaction_required " +
    "login_required account_selection_required consent_required invalid_request_uri invalid_request_object " +
    "request_not_supported request_uri_not_supported registration_not_supported invalid_dpop_proof use_dpop_nonce " +
    "invalid_authorization_details insufficient_user_authentication unmet_authentication_requirements need_info " +
    "request_denied request_submitted"
  ).split(" "),
);
