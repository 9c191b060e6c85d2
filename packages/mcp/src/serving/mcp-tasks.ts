import type { JsonObject, JsonValue } from "@hasp/schema";
import { LONGEST_TIMER } from "../../../runtime/src/dispatch/scheduling/with-timeout.js";
import { messageOf } from "../../../runtime/src/results/text.js";
import { INTERNAL_ERROR, INVALID_PARAMS, RequestError } from "./call-messages.js";

export interface McpTasksOptions {
  /** Keeps a task for this time from its start; a client may ask for less. Default: 3600. */
  readonly ttlSeconds?: number | undefined;
  /** Limits the tasks of one principal, and of a connection without one. Default: 32. */
  readonly mostPerPrincipal?: number | undefined;
}

export interface McpTask {
  readonly taskId: string;
  readonly status: "working" | "input_required" | "completed" | "failed" | "cancelled";
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  readonly ttl: number;
  readonly pollInterval: number;
}

export interface TaskRun {
  readonly taskId: string;
  readonly signal: AbortSignal;
  /** Waits for an answer of the person at the client; the task is `input_required` meanwhile. */
  readonly ask: <Answer>(question: () => Promise<Answer>) => Promise<Answer>;
}

interface StoredTask {
  readonly createdAt: string;
  readonly call: (run: TaskRun) => Promise<object>;
}

/** Finds a task of a principal in a call store. */
export type FindStoredTask = (taskId: string, principal: string | undefined) => Promise<StoredTask | undefined>;

/** The calls that clients of 2025-11-25 have made into tasks; made by {@link mcpTasks}. For `registerMcpTools`. */
export interface McpTasks {
  /** True if a client may list its tasks: only if it cannot see those of others. */
  readonly isListed: boolean;
  /** Starts a call that continues when its request is answered. Throws a `RequestError` if there are too many. */
  start(ttl: JsonValue | undefined, principal: string | undefined, call: (run: TaskRun) => Promise<object>): McpTask;
  /**
   * Answers `tasks/get`, `tasks/result`, `tasks/list` or `tasks/cancel`. Throws a `RequestError` for an unknown task.
   */
  answer(
    method: TaskMethod,
    params: JsonObject,
    principal: string | undefined,
    findStored?: FindStoredTask,
  ): Promise<object>;
}

const METHODS = ["tasks/get", "tasks/result", "tasks/list", "tasks/cancel"] as const;

export type TaskMethod = (typeof METHODS)[number];

export function isTaskMethod(method: unknown): method is TaskMethod {
  return METHODS.some((known) => known === method);
}

/** The member of `_meta` that names the task of a message. */
export const RELATED_TASK = "io.modelcontextprotocol/related-task";

const POLL_MS = 500;
const MOST_TASKS = 1024;
interface KeptTask {
  task: McpTask;
  readonly principal: string | undefined;
  readonly stop: AbortController;
  readonly result: Promise<object>;
  hasEnded: boolean;
  wasRead: boolean;
  readonly timer: unknown;
}

/**
 * Keeps tasks in the memory of this process, which finds those of others in a call store on demand. A principal finds
 * its own tasks only. If it has too many, the oldest whose result was read are dropped. Throws a `RangeError` for a
 * setting that is not positive.
 */
export function mcpTasks({ ttlSeconds = 3600, mostPerPrincipal = 32 }: McpTasksOptions = {}): McpTasks {
  if (!(ttlSeconds > 0)) throw new RangeError("mcpTasks: `ttlSeconds` must be positive.");
  if (!(mostPerPrincipal >= 1)) throw new RangeError("mcpTasks: `mostPerPrincipal` must be at least 1.");
  const longest = Math.min(Math.ceil(ttlSeconds * 1000), LONGEST_TIMER);
  const entries = new Map<string, KeptTask>();

  const tasksOf = (principal: string | undefined): readonly KeptTask[] =>
    [...entries.values()].filter((entry) => entry.principal === principal);

  function forget({ task: { taskId }, timer, stop }: KeptTask, reason: string): void {
    clearTimeout(timer as never);
    entries.delete(taskId);
    stop.abort(new Error(reason));
  }

  function makeRoom(principal: string | undefined): void {
    const own = tasksOf(principal);
    if (own.length < mostPerPrincipal && entries.size < MOST_TASKS) return;
    const oldest = own.find(({ hasEnded, wasRead }) => hasEnded && wasRead);
    if (oldest === undefined) {
      throw new RequestError(
        INTERNAL_ERROR,
        `There are too many tasks (${own.length}). Fetch the results of some, or wait until they end.`,
      );
    }
    forget(oldest, "The task was removed.");
  }

  async function find(
    { taskId }: JsonObject,
    principal: string | undefined,
    findStored: FindStoredTask | undefined,
  ): Promise<KeptTask> {
    const known = typeof taskId === "string" ? entries.get(taskId) : undefined;
    const entry = known ?? (typeof taskId === "string" ? await restore(taskId, principal, findStored) : undefined);
    if (entry === undefined || entry.principal !== principal) {
      throw new RequestError(INVALID_PARAMS, "The task does not exist, or it has expired.");
    }
    return entry;
  }

  async function restore(
    taskId: string,
    principal: string | undefined,
    findStored: FindStoredTask | undefined,
  ): Promise<KeptTask | undefined> {
    const stored = await findStored?.(taskId, principal);
    const age = Date.now() - Date.parse(stored?.createdAt ?? "");
    // Another request may have been faster.
    if (stored === undefined || entries.has(taskId) || !(age < longest)) return entries.get(taskId);
    makeRoom(principal);
    return open({ taskId, createdAt: stored.createdAt, ttl: longest }, longest - age, principal, stored.call);
  }

  function open(
    named: Pick<McpTask, "taskId" | "createdAt" | "ttl">,
    milliseconds: number,
    principal: string | undefined,
    call: (run: TaskRun) => Promise<object>,
  ): KeptTask {
    const { taskId, createdAt } = named;
    const stop = new AbortController();
    const update = (status: McpTask["status"]): void => {
      if (entry.task.status === "working" || entry.task.status === "input_required") {
        entry.task = { ...entry.task, status, lastUpdatedAt: new Date().toISOString() };
      }
    };
    const run: TaskRun = {
      taskId,
      signal: stop.signal,
      async ask(question) {
        update("input_required");
        try {
          return await question();
        } finally {
          update("working");
        }
      },
    };
    // After the answer: a call that ends at once has a task as well.
    const result = Promise.resolve().then(async () => call(run));
    const timer = setTimeout(() => forget(entry, "The task has expired."), milliseconds);
    (timer as { readonly unref?: () => void }).unref?.();
    const entry: KeptTask = {
      task: { ...named, status: "working", lastUpdatedAt: createdAt, pollInterval: POLL_MS },
      principal,
      stop,
      result,
      hasEnded: false,
      wasRead: false,
      timer,
    };
    entries.set(taskId, entry);
    const end = (status: McpTask["status"]): void => {
      entry.hasEnded = true;
      update(status);
    };
    result.then(
      (answer) => end("isError" in answer && answer.isError === true ? "failed" : "completed"),
      () => end("failed"),
    );
    return entry;
  }

  return {
    isListed: true,
    start(ttl, principal, call) {
      const milliseconds = Math.min(readTtl(ttl) ?? longest, longest);
      makeRoom(principal);
      const named = { taskId: crypto.randomUUID(), createdAt: new Date().toISOString(), ttl: milliseconds };
      return open(named, milliseconds, principal, call).task;
    },
    async answer(method, params, principal, findStored) {
      if (method === "tasks/list") return { tasks: tasksOf(principal).map(({ task }) => task) };
      const entry = await find(params, principal, findStored);
      if (method === "tasks/get") return entry.task;
      if (method === "tasks/result") {
        const result = await entry.result.catch((error: unknown) => {
          throw new RequestError(INTERNAL_ERROR, messageOf(error));
        });
        entry.wasRead = true;
        return { ...result, _meta: { [RELATED_TASK]: { taskId: entry.task.taskId } } };
      }
      if (entry.task.status !== "working" && entry.task.status !== "input_required") {
        throw new RequestError(INVALID_PARAMS, `The task is already ${entry.task.status}.`);
      }
      entry.task = { ...entry.task, status: "cancelled", lastUpdatedAt: new Date().toISOString() };
      entry.stop.abort(new Error("The client cancelled the task."));
      return entry.task;
    },
  };
}

/** Reads the lifetime in milliseconds that a client asks for. */
function readTtl(ttl: JsonValue | undefined): number | undefined {
  if (ttl === undefined || ttl === null) return undefined;
  if (typeof ttl === "number" && ttl >= 1) return ttl;
  throw new RequestError(INVALID_PARAMS, "`task.ttl` must be a positive number of milliseconds.");
}
