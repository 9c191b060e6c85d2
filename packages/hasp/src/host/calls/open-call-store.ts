import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { CallStore } from "@hasp/runtime";
import type { CallStoreSetting } from "../../calls/call-store-setting.js";
import { callsDiagnostics } from "../../calls/diagnostics.js";
import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import { thrownText } from "../../diagnostics/thrown-text.js";
import { withoutPassword } from "../sources/database/address.js";
import { loadPg } from "../sources/database/load-pg.js";

/** Seconds that a database may take to answer. */
const DATABASE_SECONDS = 30;

/** Where to look for a call store. */
export interface CallStoreRequest {
  readonly setting: CallStoreSetting;
  /** The folder that a relative path starts from. */
  readonly folder: string;
  /** The project whose `pg` is used. */
  readonly root: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Uses a call store that exists, and answers with what `use` does, or why there is none. Nothing is created: an empty
 * store under a misspelt name would look as if nothing waited.
 */
export async function withCallStore<Value>(
  { setting, folder, root, environment }: CallStoreRequest,
  use: (store: CallStore) => Promise<Value>,
): Promise<Value | { readonly finding: Diagnostic }> {
  if ("files" in setting) return withFiles(resolve(folder, setting.files), setting.files, use);
  const { env: variable } = setting.postgres;
  const address = environment[variable];
  if (address === undefined || address === "") {
    return { finding: callsDiagnostics("no-address", undefined, { variant: "unset", variable }) };
  }
  if (!/^postgres(?:ql)?:\/\//u.test(address)) {
    return { finding: callsDiagnostics("no-address", undefined, { variant: "other", variable }) };
  }
  return withDatabase({ root, variable, address }, use);
}

async function withFiles<Value>(
  path: string,
  shown: string,
  use: (store: CallStore) => Promise<Value>,
): Promise<Value | { readonly finding: Diagnostic }> {
  const isThere = await stat(resolve(path, "layout.json")).then(
    (entry) => entry.isFile(),
    () => false,
  );
  if (!isThere) return { finding: callsDiagnostics("no-store", undefined, { variant: "folder", path: shown }) };
  const { fileCallStore } = await import("@hasp/runtime/node");
  try {
    const store = fileCallStore(path);
    await store.setUp();
    return await use(store);
  } catch (error) {
    return { finding: failed(thrownText(error)) };
  }
}

async function withDatabase<Value>(
  { root, variable, address }: { readonly root: string; readonly variable: string; readonly address: string },
  use: (store: CallStore) => Promise<Value>,
): Promise<Value | { readonly finding: Diagnostic }> {
  const Client = await loadPg(root);
  if (Client === undefined) return { finding: callsDiagnostics("package-missing", undefined, undefined) };
  const milliseconds = DATABASE_SECONDS * 1000;
  let client: InstanceType<typeof Client> | undefined;
  try {
    client = new Client({
      connectionString: address,
      connectionTimeoutMillis: milliseconds,
      statement_timeout: milliseconds,
      application_name: "hasp",
    });
    // A connection that breaks also rejects the query that runs.
    client.on("error", () => undefined);
    await client.connect();
    const { rows } = await client.query("select to_regclass('hasp_layout') is not null as present");
    if ((rows[0] as { readonly present?: unknown } | undefined)?.present !== true) {
      return { finding: callsDiagnostics("no-store", undefined, { variant: "database", variable }) };
    }
    const { postgresCallStore } = await import("@hasp/runtime/postgres");
    const store = postgresCallStore(client);
    await store.setUp();
    return await use(store);
  } catch (error) {
    return { finding: failed(withoutPassword(thrownText(error), address)) };
  } finally {
    await client?.end().catch(() => undefined);
  }
}

function failed(reason: string): Diagnostic {
  return callsDiagnostics("store-fails", undefined, { reason: reason.replace(/\.$/u, "") });
}
