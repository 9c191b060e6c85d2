import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { createDispatcher } from "@hasp/runtime";
import type { CallStore, StoredTurns } from "@hasp/runtime/call-store";
import type { CallStoreSetting } from "@hasp/compiler";
import { type Diagnostic, printThrown } from "@hasp/base/diagnostics";
import { durableCalls } from "@hasp/stores";
import { leadsOutside } from "@hasp/project";
import { createConnection, isPostgresAddress, loadPg, hidePassword } from "@hasp/project/modules";
import { callsDiagnostics } from "./diagnostics.js";

export interface Damage {
  /** Passed to the store's lists, which then skip damaged entries. */
  readonly onDamage: (error: Error) => void;
  readonly findings: readonly Diagnostic[];
}

function collectDamage(remedy: string, explain: (error: unknown) => string): Damage {
  const findings: Diagnostic[] = [];
  return {
    findings,
    onDamage(error) {
      const { place } = error as { readonly place?: unknown };
      findings.push(
        typeof place === "string"
          ? callsDiagnostics("damaged-turn", undefined, { place: explain(place), remedy })
          : callsDiagnostics("unreadable-turn", undefined, { reason: explain(error).replace(/\.$/u, "") }),
      );
    },
  };
}

const DATABASE_SECONDS = 30;

interface CallStoreRequest {
  readonly setting: CallStoreSetting;
  /** The folder that a relative path starts from. */
  readonly folder: string;
  /** The project whose `pg` is used. */
  readonly root: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** True to create a missing store, for commands that run calls. */
  readonly creates: boolean;
}

export interface OpenCallStore {
  readonly store: CallStore;
  /** Describes a failure of the store, without the password of its address. */
  readonly explain: (error: unknown) => string;
  readonly damage: Damage;
  close(): Promise<void>;
}

/**
 * Opens a call store. Unless `creates` is set, a missing store is a finding: an empty one under a misspelt name would
 * look as if nothing waited.
 */
export async function openCallStore(
  request: CallStoreRequest,
): Promise<OpenCallStore | { readonly finding: Diagnostic }> {
  const { setting, folder, root, environment, creates } = request;
  if ("files" in setting) {
    const path = resolve(folder, setting.files);
    return leadsOutside(folder, path)
      ? { finding: failed(`links lead "${setting.files}" out of the folder`) }
      : openFiles(path, setting.files, creates);
  }
  if ("module" in setting) return openModule(setting.module, folder);
  const { env: variable } = setting.postgres;
  const address = environment[variable];
  if (address === undefined || address === "") {
    return { finding: callsDiagnostics("no-address", undefined, { variant: "unset", variable }) };
  }
  if (!isPostgresAddress(address)) {
    return { finding: callsDiagnostics("no-address", undefined, { variant: "other", variable }) };
  }
  return openDatabase({ root, variable, address, creates });
}

/** Creates the functions of stored turns without the tools and the settings of their host. */
export function createTurns(store: CallStore): StoredTurns {
  const durable = durableCalls({ store });
  return createDispatcher({ tools: [], extensions: [durable] }).use(durable);
}

export async function withCallStore<Value>(
  request: Omit<CallStoreRequest, "creates">,
  use: (store: CallStore, damage: Damage) => Promise<Value>,
): Promise<Value | { readonly finding: Diagnostic }> {
  const opened = await openCallStore({ ...request, creates: false });
  if ("finding" in opened) return opened;
  try {
    return await use(opened.store, opened.damage);
  } catch (error) {
    return { finding: failed(opened.explain(error)) };
  } finally {
    await opened.close();
  }
}

async function openFiles(
  path: string,
  shown: string,
  creates: boolean,
): Promise<OpenCallStore | { readonly finding: Diagnostic }> {
  const isThere =
    creates ||
    (await stat(resolve(path, "layout.json")).then(
      (entry) => entry.isFile(),
      () => false,
    ));
  if (!isThere) return { finding: callsDiagnostics("no-store", undefined, { variant: "folder", path: shown }) };
  const { fileCallStore } = await import("@hasp/stores/files");
  const explain = (error: unknown): string => printThrown(error).replace(path, shown);
  try {
    const store = fileCallStore(path);
    await store.setUp();
    return { store, explain, damage: collectDamage("delete the file", explain), close: async () => undefined };
  } catch (error) {
    return { finding: failed(explain(error)) };
  }
}

/** Opens the store that a module of the project exports, or that its export creates. */
async function openModule(setting: string, folder: string): Promise<OpenCallStore | { readonly finding: Diagnostic }> {
  const [file = "", name = "createCallStore"] = setting.split("#");
  const { loadContext } = await import("@hasp/project/modules");
  const made = await loadContext(resolve(folder, file), name);
  if ("fault" in made) {
    const reason = made.fault === "missing" ? "it exports no such object or function" : made.reason;
    return { finding: failed(`"${name}" in "${file}": ${reason}`) };
  }
  const refuse = async (reason: string): Promise<{ readonly finding: Diagnostic }> => {
    await made.close();
    return { finding: failed(`"${name}" in "${file}": ${reason}`) };
  };
  const store = made.context as CallStore;
  try {
    durableCalls({ store });
  } catch {
    return refuse("it is no call store");
  }
  try {
    await store.setUp();
  } catch (error) {
    return refuse(printThrown(error));
  }
  const close = async (): Promise<void> => void (await made.close());
  return { store, explain: printThrown, damage: collectDamage("use the store's own means", printThrown), close };
}

interface Database {
  readonly root: string;
  readonly variable: string;
  readonly address: string;
  readonly creates: boolean;
}

async function openDatabase({
  root,
  variable,
  address,
  creates,
}: Database): Promise<OpenCallStore | { readonly finding: Diagnostic }> {
  const pg = await loadPg(root);
  if (pg === undefined) return { finding: callsDiagnostics("package-missing") };
  const pool = new pg.Pool(createConnection(address, DATABASE_SECONDS));
  // A broken connection also rejects the running query; the pool replaces it.
  pool.on("error", () => undefined);
  const close = (): Promise<void> => pool.end().catch(() => undefined);
  const explain = (error: unknown): string => hidePassword(printThrown(error), address);
  const refuse = async (finding: Diagnostic): Promise<{ readonly finding: Diagnostic }> => {
    await close();
    return { finding };
  };
  try {
    const { rows } = await pool.query("select to_regclass('hasp_layout') is not null as present");
    const isThere = (rows[0] as { readonly present?: unknown } | undefined)?.present === true;
    if (!isThere && !creates) {
      return await refuse(callsDiagnostics("no-store", undefined, { variant: "database", variable }));
    }
    const { postgresCallStore } = await import("@hasp/stores/postgres");
    const store = postgresCallStore(pool as Parameters<typeof postgresCallStore>[0]);
    await store.setUp();
    const remedy = "delete its rows from hasp_turns and hasp_audit";
    return { store, explain, damage: collectDamage(remedy, explain), close };
  } catch (error) {
    return refuse(failed(explain(error)));
  }
}

function failed(reason: string): Diagnostic {
  return callsDiagnostics("store-fails", undefined, { reason: reason.replace(/\.$/u, "") });
}
