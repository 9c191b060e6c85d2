import type { TokenEndpointResponse } from "oauth4webapi";
import type { Redactor } from "@hasp/runtime";
import type { StoredTokens } from "./token-store.js";

export function storedTokens(answer: TokenEndpointResponse, secrets: Redactor): StoredTokens {
  return {
    accessToken: secrets.add(answer.access_token),
    ...(answer.refresh_token !== undefined && { refreshToken: secrets.add(answer.refresh_token) }),
    ...(answer.expires_in !== undefined && {
      expiresAt: new Date(Date.now() + answer.expires_in * 1000).toISOString(),
    }),
  };
}
