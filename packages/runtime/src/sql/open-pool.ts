import { NotExecuted } from "../results/tool-result.js";
import type { SqlPool } from "./clients.js";

/** A pool that a connection has opened itself. */
export interface OwnPool extends SqlPool {
  end(): Promise<void>;
}

/** Opens a pool of `pg` to the database whose URL an environment variable holds; it does not keep a process running. */
export async function openPool(connection: string, variable: string): Promise<OwnPool> {
  const connectionString = typeof process === "undefined" ? undefined : process.env[variable];
  if (connectionString === undefined || connectionString === "") {
    throw new NotExecuted(`${connection} needs the environment variable ${variable}, which is not set`);
  }
  const { Pool } = await loadPg(connection);
  let pool: OwnPool & { on(event: "error", listener: () => void): void };
  try {
    pool = new Pool({ connectionString, connectionTimeoutMillis: 5000, allowExitOnIdle: true });
  } catch {
    throw new NotExecuted(`${connection} cannot read the URL in ${variable}; it must be \`postgres://…\``);
  }
  // An idle connection that breaks concerns no call.
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
