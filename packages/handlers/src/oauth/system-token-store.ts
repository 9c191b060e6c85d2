import { homedir } from "node:os";
import { join } from "node:path";
import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { mkdir, open, rename, rm, stat, writeFile } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { parseTokens, type TokenStore } from "./token-store.js";

export interface TokenStoreOptions {
  /** The folder of tokens and locks, for this user alone. Default: `hasp/tokens` in the user's folder for state. */
  readonly folder?: string;
  /** Uses the system's keyring if there is one. Default: true. */
  readonly keyring?: boolean;
}

/**
 * Keeps tokens in the system's keyring if `@napi-rs/keyring` is installed and there is one (macOS, Windows, a Secret
 * Service on Linux), else in files that only this user can read. Processes of one user share it.
 */
export function tokenStore({ folder = defaultFolder(), keyring: isWanted = true }: TokenStoreOptions = {}): TokenStore {
  const files = fileTokenStore(folder);
  const keyring = isWanted ? openSystemKeyring() : undefined;
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

/** An older lock belongs to a dead process: no token request may take half as long. */
const STALE_LOCK_MS = 90_000;

const LOCK_POLL_MS = 50;

/** The mode bits that give others access. */
const OTHERS = 0o077;

/** Keeps tokens as files that only this user can read; a file that others can read counts as absent. */
export function fileTokenStore(folder: string): TokenStore {
  const pathOf = (key: string, ending: string): string => join(folder, `${key}.${ending}`);
  const queue = new Map<string, Promise<unknown>>();
  return {
    read: async (key) => {
      const text = await readPrivate(pathOf(key, "json"));
      return text === undefined ? undefined : parseTokens(text);
    },
    async write(key, tokens) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const unfinished = pathOf(key, randomUUID());
      try {
        await writeFile(unfinished, JSON.stringify(tokens), { mode: 0o600, flag: "wx", flush: true });
        await rename(unfinished, pathOf(key, "json"));
      } catch (error) {
        await rm(unfinished, { force: true });
        throw error;
      }
    },
    remove: async (key) =>
      rm(pathOf(key, "json")).then(
        () => true,
        () => false,
      ),
    async exclusively(key, work) {
      const result = (queue.get(key) ?? Promise.resolve()).then(async () => {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        return underLock(pathOf(key, "lock"), work);
      });
      const ended = result.then(noMatter, noMatter);
      queue.set(key, ended);
      void ended.then(() => queue.get(key) === ended && queue.delete(key));
      return result;
    },
  };
}

function noMatter(): void {}

/** Reads a file of this user alone; `undefined` for a link, and for a file that others may read. */
async function readPrivate(path: string): Promise<string | undefined> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)).catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const { mode } = await file.stat();
    const isPrivate = process.platform === "win32" || (mode & OTHERS) === 0;
    return isPrivate ? await file.readFile("utf8") : undefined;
  } finally {
    await file.close();
  }
}

async function underLock<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  while (!(await createLock(path))) {
    await removeStaleLock(path);
    await wait(LOCK_POLL_MS);
  }
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

async function createLock(path: string): Promise<boolean> {
  try {
    await (await open(path, "wx", 0o600)).close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

async function removeStaleLock(path: string): Promise<void> {
  const age = await stat(path).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => 0,
  );
  if (age > STALE_LOCK_MS) await rm(path, { force: true });
}

const SERVICE = "hasp";

interface KeyringPackage {
  readonly AsyncEntry: new (service: string, name: string, options?: object) => KeyringEntry;
}

interface KeyringEntry {
  setPassword(password: string): Promise<void>;
  getPassword(): Promise<string | null | undefined>;
  deletePassword(): Promise<boolean>;
}

/** Texts in the system's keyring. Without one, nothing is found, and `write` answers `false`. */
interface Keyring {
  read(key: string): Promise<string | undefined>;
  write(key: string, text: string): Promise<boolean>;
  remove(key: string): Promise<boolean>;
}

/** Opens the system's keyring through `@napi-rs/keyring`, loaded on demand. */
export function openSystemKeyring(load: () => Promise<KeyringPackage> = loadPackage): Keyring {
  const withEntry = async <Result>(
    key: string,
    use: (entry: KeyringEntry) => Promise<Result>,
  ): Promise<Result | undefined> => {
    try {
      const { AsyncEntry } = await load();
      // Linux's kernel keyring forgets everything when the machine restarts.
      return await use(new AsyncEntry(SERVICE, key, { linux: { store: "secret-service" } }));
    } catch {
      // The package is not installed, or the keyring is missing or locked.
      return undefined;
    }
  };
  return {
    read: async (key) => (await withEntry(key, (entry) => entry.getPassword())) ?? undefined,
    write: async (key, text) =>
      (await withEntry(key, async (entry) => {
        await entry.setPassword(text);
        return (await entry.getPassword()) === text;
      })) ?? false,
    remove: async (key) => (await withEntry(key, (entry) => entry.deletePassword())) ?? false,
  };
}

async function loadPackage(): Promise<KeyringPackage> {
  // A variable, so that TypeScript asks for no types of the optional peer; `try`, so that bundlers accept its absence.
  const name = "@napi-rs/keyring";
  try {
    return (await import(name)) as KeyringPackage;
  } catch (cause) {
    throw new Error(`${name} cannot be loaded.`, { cause });
  }
}
