import { printThrown } from "@hasp/base/diagnostics";
import type { McpCaller } from "@hasp/mcp";
import {
  bearerAuthChallengeResponse,
  getOAuthProtectedResourceMetadataUrl,
  OAuthError,
  OAuthErrorCode,
  verifyBearerToken,
} from "@modelcontextprotocol/server";
import { createLocalJWKSet, createRemoteJWKSet, errors, jwtVerify, type JWTPayload } from "jose";
import type { Auth } from "./read-auth.js";

/** Asymmetric signatures only: every server would know a shared secret. */
const ALGORITHMS = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];

/** Access tokens only; logout and other tokens are signed with the same keys. */
const TYPES: readonly (string | undefined)[] = [undefined, "jwt", "at+jwt", "application/at+jwt"];

/** Accepted clock difference between the issuer and this machine. */
const CLOCK_SECONDS = 5;

export function createTokenChecker(
  { issuer, audience, jwks, resource, scopes }: Auth,
  report: (message: string) => void,
): (request: Request) => Promise<McpCaller | Response> {
  const keys = jwks instanceof URL ? createRemoteJWKSet(jwks) : createLocalJWKSet(jwks);
  const resourceMetadataUrl = getOAuthProtectedResourceMetadataUrl(resource);

  async function claimsOf(token: string): Promise<JWTPayload> {
    try {
      const { payload, protectedHeader } = await jwtVerify(token, keys, {
        issuer,
        audience,
        algorithms: ALGORITHMS,
        requiredClaims: ["exp", "sub"],
        clockTolerance: CLOCK_SECONDS,
      });
      // A token bound to a key (`cnf`) proves nothing without that key.
      if (TYPES.includes(protectedHeader.typ?.toLowerCase()) && payload["cnf"] === undefined) return payload;
    } catch (error) {
      if (!isFaultOfToken(error)) {
        report(`The keys of ${issuer} cannot be loaded: ${printThrown(error)}`);
        throw new OAuthError(OAuthErrorCode.ServerError, "Tokens cannot be checked now.");
      }
    }
    throw new OAuthError(OAuthErrorCode.InvalidToken, "The token is invalid, expired or not for this server.");
  }

  return async (request) => {
    try {
      let caller: McpCaller | undefined;
      const verifyAccessToken = async (token: string) => {
        const payload = await claimsOf(token);
        const granted = scopesIn(payload);
        const toolsets = granted.flatMap((scope) => (Object.hasOwn(scopes, scope) ? [scopes[scope] ?? ""] : []));
        if (typeof payload.sub !== "string" || payload.sub === "") {
          throw new OAuthError(OAuthErrorCode.InvalidToken, "The token has no subject.");
        }
        if (toolsets.length === 0) {
          throw new OAuthError(OAuthErrorCode.InsufficientScope, "No scope of the token offers any tools here.");
        }
        caller = { principal: payload.sub, toolsets };
        return { token, clientId: payload.sub, scopes: [...granted], expiresAt: (payload.exp ?? 0) + CLOCK_SECONDS };
      };
      await verifyBearerToken(request.headers.get("authorization") ?? undefined, {
        verifier: { verifyAccessToken },
        resourceMetadataUrl,
      });
      if (caller !== undefined) return caller;
      throw new OAuthError(OAuthErrorCode.ServerError, "Tokens cannot be checked now.");
    } catch (error) {
      return bearerAuthChallengeResponse(error, { requiredScopes: Object.keys(scopes), resourceMetadataUrl });
    }
  };
}

/** True if the token itself is at fault; false for failures to fetch keys. */
function isFaultOfToken(error: unknown): boolean {
  if (!(error instanceof errors.JOSEError)) return false;
  return !["ERR_JWKS_TIMEOUT", "ERR_JWKS_INVALID", "ERR_JOSE_GENERIC"].includes(error.code);
}

function scopesIn({ scope, scp }: JWTPayload): readonly string[] {
  const said: unknown = scope ?? scp;
  if (Array.isArray(said)) return said.filter((each) => typeof each === "string");
  return typeof said === "string" ? said.split(" ") : [];
}
