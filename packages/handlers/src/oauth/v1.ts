export { oauthTokens } from "./oauth-tokens.js";
export { tokenStore } from "./system-token-store.js";
