import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** A pool of connections of the package `pg`. */
interface PgPool {
  query(text: string, values?: readonly unknown[]): Promise<{ readonly rows: readonly object[] }>;
  end(): Promise<void>;
  on(event: "error", listener: (error: Error) => void): unknown;
}

/** One connection of it. */
export interface PgClient extends PgPool {
  connect(): Promise<void>;
}

/** How to connect, in the words of the package. */
interface PgSettings {
  readonly connectionString: string;
  readonly connectionTimeoutMillis: number;
  readonly statement_timeout: number;
  readonly application_name: string;
}

/** What is used of the package. */
interface Pg {
  readonly Client: new (settings: PgSettings) => PgClient;
  readonly Pool: new (settings: PgSettings) => PgPool;
}

/** How a command connects to a database; each wait and each query may take that many seconds. */
export function connectionTo(address: string, seconds: number): PgSettings {
  const milliseconds = seconds * 1000;
  return {
    connectionString: address,
    connectionTimeoutMillis: milliseconds,
    statement_timeout: milliseconds,
    application_name: "hasp",
  };
}

/** Loads the package `pg` that the project has installed; `undefined` if it has none that works. */
export async function loadPg(root: string): Promise<Pg | undefined> {
  const path = pathOfPg(root);
  if (path === undefined) return undefined;
  const module = (await import(pathToFileURL(path).href)) as { readonly default?: Pg };
  const pg = module.default ?? (module as unknown as Partial<Pg>);
  return typeof pg.Client === "function" && typeof pg.Pool === "function" ? (pg as Pg) : undefined;
}

function pathOfPg(root: string): string | undefined {
  try {
    return createRequire(join(root, "package.json")).resolve("pg");
  } catch {
    return undefined;
  }
}
