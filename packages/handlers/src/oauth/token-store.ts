export interface StoredTokens {
  readonly accessToken: string;
  readonly refreshToken?: string;
  /** An ISO date; absent if the server names none. */
  readonly expiresAt?: string;
}

/** Keeps tokens beyond the process; made by `tokenStore`. */
export interface TokenStore {
  /** Reads the tokens under a key, which is a short plain word. */
  read(key: string): Promise<StoredTokens | undefined>;
  write(key: string, tokens: StoredTokens): Promise<void>;
  /** Returns true if there was something to remove. */
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
  if (typeof value !== "object" || value === null) return false;
  const { accessToken, refreshToken, expiresAt } = value as Record<keyof StoredTokens, unknown>;
  return (
    typeof accessToken === "string" &&
    (refreshToken === undefined || typeof refreshToken === "string") &&
    (expiresAt === undefined || (typeof expiresAt === "string" && !Number.isNaN(Date.parse(expiresAt))))
  );
}
