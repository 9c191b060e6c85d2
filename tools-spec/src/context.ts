import type { ToolResult } from "@hasp/runtime";
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
  readonly showTodos: (items: readonly { readonly text: string; readonly state: string }[]) => void;
  /** Asks the host for a mode, with a reason or a plan. Returns true if the host has switched. */
  readonly askForMode: (mode: "plan" | "work", why: string, signal: AbortSignal) => Promise<boolean>;
  /** Asks the model behind sub-agents for its next calls, or for its answer. */
  readonly askModel: (turn: AgentTurn, signal: AbortSignal) => Promise<AgentReply>;
  readonly searchWeb: (query: string, limit: number, signal: AbortSignal) => Promise<readonly WebPage[]>;
}

/** The task of a sub-agent, the names of its tools, and the results of its last calls. */
export interface AgentTurn {
  readonly task: string;
  readonly tools: readonly string[];
  readonly results: readonly ToolResult[];
}

export type AgentReply =
  | { readonly answer: string }
  | { readonly calls: readonly { readonly name: string; readonly input: unknown }[] };

export interface WebPage {
  readonly title: string;
  readonly url: string;
  readonly excerpt: string;
}

/** A context without a person at the screen, a model or the web. */
export const alone: Pick<AgentContext, "askUser" | "showTodos" | "askForMode" | "askModel" | "searchWeb"> = {
  askUser: () => Promise.reject(new Error("Nobody is at the screen.")),
  showTodos: () => undefined,
  askForMode: () => Promise.resolve(false),
  askModel: () => Promise.reject(new Error("The host has no model for sub-agents.")),
  searchWeb: () => Promise.reject(new Error("The host has no index of the web.")),
};

/** A context that disposes its parts. */
export type DisposableContext = AgentContext & { [Symbol.asyncDispose](): Promise<void> };

/**
 * Makes the context for `hasp call` and `hasp serve`: the workspace is the current folder, and nobody is at the screen.
 * Reads the databases from DATABASE_URL and SCRATCH_DATABASE_URL. Imports the services on demand, since the type does
 * not need them.
 */
export async function createContext(): Promise<DisposableContext> {
  const [{ openWorkspace }, { createBackgroundTasks }, { openNetwork }] = await Promise.all([
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
    network: openNetwork(),
    ...alone,
    async [Symbol.asyncDispose]() {
      await Promise.all([tasks.close(), database.close()]);
    },
  };
}

/** Connects on first use: most calls need no database. The tools that do declare that they need DATABASE_URL. */
function databaseOnDemand(): Database {
  let opening: Promise<Database> | undefined;
  const open = async (): Promise<Database> => {
    const { openDatabase } = await import("./services/database.js");
    return openDatabase({
      application: process.env["DATABASE_URL"] ?? "",
      scratch: process.env["SCRATCH_DATABASE_URL"],
    });
  };
  return {
    run: async (statement, options) => await (await (opening ??= open())).run(statement, options),
    close: async () => await (await opening)?.close(),
  };
}
