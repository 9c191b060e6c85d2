import { isStructured } from "@hasp/base/json";
import type { TokenEndpointResponse } from "oauth4webapi";
import type { Redactor } from "@hasp/runtime/internal";
import { createHash } from "node:crypto";
import { readCredentials, type OauthClient } from "./oauth-client.js";

export interface StoredTokens {
  readonly accessToken: string;
  readonly refreshToken?: string;
  /** An ISO date; absent if the server names none. */
  readonly expiresAt?: string;
}

export interface TokenStore {
  read(key: string): Promise<StoredTokens | undefined>;
  write(key: string, tokens: StoredTokens): Promise<void>;
  remove(key: string): Promise<boolean>;
  /** Runs `work` while no other process, and no other call of this one, does so for the same key. */
  exclusively<Result>(key: string, work: () => Promise<Result>): Promise<Result>;
}

/** Parses stored tokens; `undefined` if they are damaged. */
export function parseTokens(text: string): StoredTokens | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isTokens(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isTokens(value: unknown): value is StoredTokens {
  if (!isStructured(value)) return false;
  const { accessToken, refreshToken, expiresAt } = value as Record<keyof StoredTokens, unknown>;
  return (
    typeof accessToken === "string" &&
    (refreshToken === undefined || typeof refreshToken === "string") &&
    (expiresAt === undefined || (typeof expiresAt === "string" && !Number.isNaN(Date.parse(expiresAt))))
  );
}

export function createStoredTokens(answer: TokenEndpointResponse, secrets: Redactor): StoredTokens {
  return {
    accessToken: secrets.add(answer.access_token),
    ...(answer.refresh_token !== undefined && { refreshToken: secrets.add(answer.refresh_token) }),
    ...(answer.expires_in !== undefined && {
      expiresAt: fromNow(answer.expires_in * 1000),
    }),
  };
}

/** Returns an ISO date. */
export function fromNow(milliseconds: number): string {
  return new Date(Date.now() + milliseconds).toISOString();
}

const DIGEST_LENGTH = 16;

/**
 * Names an entry of a store by everything that decides who sees its tokens: another receiver (an origin), server, client
 * or scope never gets them.
 */
export function createTokenKey(client: OauthClient, receiver: string): string {
  return createKey(client, [receiver]);
}

/** Names the entry that earlier versions of hasp wrote. Its tokens could go anywhere, so it is only deleted. */
export function createUnboundKey(client: OauthClient): string {
  return createKey(client, []);
}

function createKey(client: OauthClient, receivers: readonly string[]): string {
  const { tokenUrl, refreshUrl, discoveryUrl, scopes = [], audience } = client;
  const addresses = [tokenUrl, refreshUrl, discoveryUrl].map((address) => address ?? "");
  const identity = [...addresses, readCredentials(client).clientId, scopes.toSorted(), audience ?? "", ...receivers];
  const digest = createHash("sha256").update(JSON.stringify(identity)).digest("hex");
  return `${client.name.replace(/[^A-Za-z0-9_-]/g, "-").slice(0, 64)}-${digest.slice(0, DIGEST_LENGTH)}`;
}
