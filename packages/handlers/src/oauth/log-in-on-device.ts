import { setTimeout as wait } from "node:timers/promises";
import * as oauth from "oauth4webapi";
import { accessServer, tokenParameters, type ServerAccess } from "./authorization-server.js";
import type { LoginFlow } from "./log-in.js";
import { notApproved } from "./not-approved.js";
import type { OauthClient } from "./oauth-client.js";
import { storedTokens } from "./stored-tokens.js";
import type { StoredTokens } from "./token-store.js";

/** Seconds between two polls if the server names none, and the increment of "slow down" (RFC 8628, 3.2 and 3.5). */
const DEFAULT_INTERVAL = 5;
const SLOW_DOWN = 5;

/** Gets a code, and polls until a person has typed it (RFC 8628). */
export const logInOnDevice: LoginFlow = async (client, signal) => {
  const access = await accessServer(client);
  const code = await requestCode(client, access, signal);
  const expiry = Date.now() + code.expires_in * 1000;
  return {
    request: { url: code.verification_uri, code: code.user_code, expiresAt: new Date(expiry).toISOString() },
    tokens: waitForTokens(client, access, { code, expiry, signal }),
  };
};

async function waitForTokens(
  client: OauthClient,
  access: ServerAccess,
  login: { code: oauth.DeviceAuthorizationResponse; expiry: number; signal: AbortSignal | undefined },
): Promise<StoredTokens> {
  const { code, expiry, signal } = login;
  let seconds = code.interval ?? DEFAULT_INTERVAL;
  while (Date.now() < expiry) {
    await wait(seconds * 1000, undefined, signal === undefined ? {} : { signal });
    const answer = await askForTokens(client, access, code.device_code, signal);
    if (typeof answer === "object") return answer;
    if (answer === "slow-down") seconds += SLOW_DOWN;
  }
  throw notApproved(client, "expired");
}

async function requestCode(
  options: OauthClient,
  { server, client, authentication, secrets, options: requestOptions, refusal }: ServerAccess,
  signal: AbortSignal | undefined,
): Promise<oauth.DeviceAuthorizationResponse> {
  try {
    const response = await oauth.deviceAuthorizationRequest(
      server,
      client,
      authentication,
      tokenParameters(options),
      requestOptions(signal),
    );
    const code = await oauth.processDeviceAuthorizationResponse(server, client, response);
    secrets.add(code.device_code);
    return code;
  } catch (error) {
    throw refusal(error);
  }
}

async function askForTokens(
  options: OauthClient,
  { server, client, authentication, secrets, options: requestOptions, refusal }: ServerAccess,
  deviceCode: string,
  signal: AbortSignal | undefined,
): Promise<StoredTokens | "pending" | "slow-down"> {
  try {
    const response = await oauth.deviceCodeGrantRequest(
      server,
      client,
      authentication,
      deviceCode,
      requestOptions(signal),
    );
    return storedTokens(await oauth.processDeviceCodeResponse(server, client, response), secrets);
  } catch (error) {
    const code = error instanceof oauth.ResponseBodyError ? error.error : undefined;
    if (code === "authorization_pending") return "pending";
    if (code === "slow_down") return "slow-down";
    if (code === "access_denied") throw notApproved(options, "refused");
    if (code === "expired_token") throw notApproved(options, "expired");
    throw refusal(error);
  }
}
