import type { Database } from "./services/database.js";
import type { BackgroundTasks } from "./services/background-tasks.js";
import type { Network } from "./services/network.js";
import type { Workspace } from "./services/workspace.js";

/** The context that every handler of this toolset receives. */
export interface AgentContext {
  readonly workspace: Workspace;
  readonly database: Database;
  readonly tasks: BackgroundTasks;
  readonly network: Network;
  /** Asks the person at the screen one question. */
  readonly askUser: (question: string, choices: readonly string[] | undefined, signal: AbortSignal) => Promise<string>;
}

/** A context that disposes its parts. */
export type DisposableContext = AgentContext & { [Symbol.asyncDispose](): Promise<void> };

/**
 * Makes the context for `hasp call` and `hasp serve`: the workspace is the current folder, and nobody is at the screen.
 * Imports the services on demand, since the type does not need them.
 */
export async function createContext(): Promise<DisposableContext> {
  const [{ openWorkspace }, { createBackgroundTasks }, { publicNetwork }] = await Promise.all([
    import("./services/workspace.js"),
    import("./services/background-tasks.js"),
    import("./services/network.js"),
  ]);
  const database = databaseOnDemand();
  const tasks = createBackgroundTasks();
  return {
    workspace: await openWorkspace(process.cwd()),
    database,
    tasks,
    network: publicNetwork,
    askUser: () => Promise.reject(new Error("Nobody is at the screen.")),
    async [Symbol.asyncDispose]() {
      await Promise.all([tasks.close(), database.close()]);
    },
  };
}

/** Opens the database on first use: an embedded one takes seconds and a gigabyte, and most calls need none. */
function databaseOnDemand(): Database {
  let opening: Promise<Database> | undefined;
  const open = async (): Promise<Database> => await (await import("./services/database.js")).openDatabase();
  return {
    run: async (statement, access) => await (await (opening ??= open())).run(statement, access),
    close: async () => await (await opening)?.close(),
  };
}
