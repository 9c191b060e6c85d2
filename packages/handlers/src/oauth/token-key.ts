import { createHash } from "node:crypto";
import { readCredentials, type OauthClient } from "./oauth-client.js";

const DIGEST_LENGTH = 16;

/**
 * Names a client's entry in a store. It depends on everything that decides who sees the tokens: a connection that is
 * changed to another server, client or scope never sends the tokens of the old one.
 */
export function tokenKey(client: OauthClient): string {
  const { tokenUrl, refreshUrl, discoveryUrl, scopes = [], audience } = client;
  const addresses = [tokenUrl, refreshUrl, discoveryUrl].map((address) => address ?? "");
  const identity = [...addresses, readCredentials(client).clientId, scopes.toSorted(), audience ?? ""];
  const digest = createHash("sha256").update(JSON.stringify(identity)).digest("hex");
  return `${client.name.replace(/[^A-Za-z0-9_-]/g, "-").slice(0, 64)}-${digest.slice(0, DIGEST_LENGTH)}`;
}
