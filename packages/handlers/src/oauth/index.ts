export { logOut, startLogin, type Login, type LoginOptions, type LoginRequest } from "./log-in.js";
export type { EnvironmentValue, OauthClient } from "./oauth-client.js";
export { oauthTokens, type OauthTokensOptions } from "./oauth-tokens.js";
export { tokenStore, type TokenStoreOptions } from "./system-token-store.js";
export type { StoredTokens, TokenStore } from "./token-store.js";
export type { TokenSource } from "@hasp/runtime/internal";
