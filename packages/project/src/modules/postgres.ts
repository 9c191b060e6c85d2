import { attempt } from "@hasp/base/diagnostics";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

interface PgPool {
  query(text: string, values?: readonly unknown[]): Promise<{ readonly rows: readonly object[] }>;
  end(): Promise<void>;
  on(event: "error", listener: (error: Error) => void): unknown;
}

export interface DatabaseClient extends PgPool {
  connect(): Promise<void>;
}

interface PgSettings {
  readonly connectionString: string;
  readonly connectionTimeoutMillis: number;
  readonly statement_timeout: number;
  readonly application_name: string;
}

/** The part of `pg` that we use. */
interface Pg {
  readonly Client: new (settings: PgSettings) => DatabaseClient;
  readonly Pool: new (settings: PgSettings) => PgPool;
}

export function createConnection(address: string, seconds: number): PgSettings {
  const milliseconds = seconds * 1000;
  return {
    connectionString: address,
    connectionTimeoutMillis: milliseconds,
    statement_timeout: milliseconds,
    application_name: "hasp",
  };
}

/** Loads the project's own `pg`; `undefined` if it has none that works. */
export async function loadPg(root: string): Promise<Pg | undefined> {
  const path = attempt(() => createRequire(join(root, "package.json")).resolve("pg"));
  if (path === undefined) return undefined;
  const module = (await import(pathToFileURL(path).href)) as { readonly default?: Pg };
  const pg = module.default ?? (module as unknown as Partial<Pg>);
  return typeof pg.Client === "function" && typeof pg.Pool === "function" ? (pg as Pg) : undefined;
}

export function isPostgresAddress(address: string): boolean {
  return /^postgres(?:ql)?:\/\//u.test(address);
}

export function hidePassword(message: string, address: string): string {
  const { password = "" } = URL.canParse(address) ? new URL(address) : {};
  return [address, password, attempt(() => decodeURIComponent(password)) ?? password]
    .filter((secret) => secret !== "")
    .reduce((text, secret) => text.replaceAll(secret, "…"), message);
}
