export { logOut, startLogin, type LoginClient } from "./log-in.js";
export { oauthTokens } from "./oauth-tokens.js";
export { tokenStore } from "./system-token-store.js";
export type { TokenStore } from "./token-store.js";
