import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ownMember } from "../../../model/own.js";

/** What an import uses of the package `pg`. */
export interface PgClient {
  connect(): Promise<void>;
  query(text: string, values?: readonly unknown[]): Promise<{ readonly rows: readonly object[] }>;
  end(): Promise<void>;
  on(event: "error", listener: (error: Error) => void): unknown;
}

type PgClientClass = new (settings: {
  readonly connectionString: string;
  readonly connectionTimeoutMillis: number;
  readonly statement_timeout: number;
  readonly application_name: string;
}) => PgClient;

/** The client of the package `pg` that the project has installed; `undefined` if it has none. */
export async function loadPg(root: string): Promise<PgClientClass | undefined> {
  const path = pathOfPg(root);
  if (path === undefined) return undefined;
  const module = (await import(pathToFileURL(path).href)) as { readonly default?: unknown };
  return ownMember(module.default ?? module, "Client") as PgClientClass | undefined;
}

function pathOfPg(root: string): string | undefined {
  try {
    return createRequire(join(root, "package.json")).resolve("pg");
  } catch {
    return undefined;
  }
}
