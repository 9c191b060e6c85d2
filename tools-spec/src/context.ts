import type { Database } from "./services/database.js";
import type { BackgroundTasks } from "./services/background-tasks.js";
import type { Network } from "./services/network.js";
import type { Workspace } from "./services/workspace.js";

/** What every handler of this toolset is given beside its input. */
export interface AgentContext {
  readonly workspace: Workspace;
  readonly database: Database;
  readonly tasks: BackgroundTasks;
  readonly network: Network;
  /** Puts one question to the person at the screen. */
  readonly askUser: (question: string, choices: readonly string[] | undefined, signal: AbortSignal) => Promise<string>;
}
