import { NotExecuted } from "@hasp/runtime";
import type { SqlPool } from "./clients.js";

/** A pool that a connection has opened itself. */
export interface OwnPool extends SqlPool {
  end(): Promise<void>;
}

/** Reads the URL from an environment variable. Throws {@link NotExecuted} if it is not set. */
export function databaseUrl(connection: string, variable: string): string {
  const url = typeof process === "undefined" ? undefined : process.env[variable];
  if (url !== undefined && url !== "") return url;
  throw new NotExecuted(`${connection} needs the environment variable ${variable}, which is not set`);
}

/** Opens a pool of `pg` for the URL of `variable`; it does not keep a process running. */
export async function openPool(connection: string, connectionString: string, variable: string): Promise<OwnPool> {
  const { Pool } = await loadPg(connection);
  let pool: OwnPool & { on(event: "error", listener: () => void): void };
  try {
    pool = new Pool({ connectionString, connectionTimeoutMillis: 5000, allowExitOnIdle: true });
  } catch {
    throw new NotExecuted(`${connection} cannot read the URL in ${variable}; it must be \`postgres://…\``);
  }
  // A broken idle connection concerns no call.
  pool.on("error", () => undefined);
  return pool;
}

async function loadPg(connection: string): Promise<typeof import("pg").default> {
  try {
    return (await import("pg")).default;
  } catch {
    throw new NotExecuted(`${connection} needs the package pg, which is not installed; run \`npm install pg\``);
  }
}
