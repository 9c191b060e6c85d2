/** The tokens that a login brought, as a store keeps them. */
export interface StoredTokens {
  readonly accessToken: string;
  readonly refreshToken?: string;
  /** An ISO date. Absent if the server did not say it. */
  readonly expiresAt?: string;
}

/** Keeps tokens beyond the process; made by `tokenStore`. */
export interface TokenStore {
  /** The tokens under a key, which is a short plain word. */
  read(key: string): Promise<StoredTokens | undefined>;
  write(key: string, tokens: StoredTokens): Promise<void>;
  /** Returns whether there was something to remove. */
  remove(key: string): Promise<boolean>;
  /** Runs `work` while no other process, and no other call of this one, does so for the same key. */
  exclusively<Result>(key: string, work: () => Promise<Result>): Promise<Result>;
}

/** Reads what was stored; `undefined` if it is damaged. */
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
