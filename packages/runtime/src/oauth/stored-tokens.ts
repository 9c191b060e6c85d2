import type { TokenEndpointResponse } from "oauth4webapi";
import type { StoredTokens } from "./token-store.js";

/** What is kept of a server's answer. */
export function storedTokens(answer: TokenEndpointResponse): StoredTokens {
  return {
    accessToken: answer.access_token,
    ...(answer.refresh_token !== undefined && { refreshToken: answer.refresh_token }),
    ...(answer.expires_in !== undefined && {
      expiresAt: new Date(Date.now() + answer.expires_in * 1000).toISOString(),
    }),
  };
}
