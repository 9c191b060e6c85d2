import { homedir } from "node:os";
import { join } from "node:path";
import { fileTokenStore } from "./file-token-store.js";
import { systemKeyring } from "./system-keyring.js";
import { parseTokens, type TokenStore } from "./token-store.js";

/** Settings of {@link tokenStore}. */
export interface TokenStoreOptions {
  /** The folder of tokens and locks, for this user alone. Default: `hasp/tokens` in the user's folder for state. */
  readonly folder?: string;
  /** Uses the system's keyring if there is one. Default: true. */
  readonly keyring?: boolean;
}

/**
 * Keeps tokens in the system's keyring if the package `@napi-rs/keyring` is installed and the system has one (macOS,
 * Windows, Linux with a Secret Service), else in files that only this user can read. Processes of one user share it.
 */
export function tokenStore({ folder = defaultFolder(), keyring: isWanted = true }: TokenStoreOptions = {}): TokenStore {
  const files = fileTokenStore(folder);
  const keyring = isWanted ? systemKeyring() : undefined;
  return {
    async read(key) {
      const text = await keyring?.read(key);
      return text === undefined ? files.read(key) : parseTokens(text);
    },
    async write(key, tokens) {
      if (await keyring?.write(key, JSON.stringify(tokens))) await files.remove(key);
      else await files.write(key, tokens);
    },
    async remove(key) {
      const wasInKeyring = (await keyring?.remove(key)) ?? false;
      return (await files.remove(key)) || wasInKeyring;
    },
    exclusively: (key, work) => files.exclusively(key, work),
  };
}

function defaultFolder(): string {
  const { XDG_STATE_HOME, LOCALAPPDATA } = process.env;
  const parent =
    process.platform === "win32"
      ? (LOCALAPPDATA ?? join(homedir(), "AppData", "Local"))
      : process.platform === "darwin"
        ? join(homedir(), "Library", "Application Support")
        : XDG_STATE_HOME || join(homedir(), ".local", "state");
  return join(parent, "hasp", "tokens");
}
