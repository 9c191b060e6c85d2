/** The name of the entries in the system's keyring. */
const SERVICE = "hasp";

/** The used part of `@napi-rs/keyring`. */
interface KeyringPackage {
  readonly AsyncEntry: new (service: string, name: string, options?: object) => KeyringEntry;
}

interface KeyringEntry {
  setPassword(password: string): Promise<void>;
  getPassword(): Promise<string | null | undefined>;
  deletePassword(): Promise<boolean>;
}

/** Texts in the system's keyring. Without a keyring, nothing is found, and writing answers `false`. */
interface Keyring {
  read(key: string): Promise<string | undefined>;
  write(key: string, text: string): Promise<boolean>;
  remove(key: string): Promise<boolean>;
}

/** Opens the system's keyring through `@napi-rs/keyring`, loaded on demand. */
export function systemKeyring(load: () => Promise<KeyringPackage> = loadPackage): Keyring {
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
  // A variable, so that TypeScript asks for no types of the optional peer.
  const name = "@napi-rs/keyring";
  return (await import(name)) as KeyringPackage;
}
