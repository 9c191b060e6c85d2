export { logOut, startLogin, type Login, type LoginClient, type LoginOptions } from "./log-in.js";
export type { OauthClient } from "./oauth-client.js";
export { oauthTokens, type OauthTokensOptions } from "./oauth-tokens.js";
export { tokenStore, type TokenStoreOptions } from "./system-token-store.js";
export type { TokenStore } from "./token-store.js";
