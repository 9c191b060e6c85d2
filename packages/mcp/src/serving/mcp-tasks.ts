import type { JsonObject } from "@hasp/schema";
import { LONGEST_TIMER, messageOf } from "@hasp/runtime/internal";
import { isObject } from "@hasp/base/json";
import { CLIENT_CAPABILITIES } from "../questions/ask-client.js";
import type { ServerRequest } from "../questions/server-request.js";
import { INTERNAL_ERROR, INVALID_PARAMS, RequestError } from "./call-messages.js";

export interface McpTasksOptions {
  /** Milliseconds after which a call that still runs becomes a task. Default: 5000. */
  readonly startAfterMs?: number | undefined;
  /** Keeps a task for this time from its start. Default: 3600. */
  readonly ttlSeconds?: number | undefined;
  /** Limits the tasks of one principal, and of callers without one. Default: 32. */
  readonly mostPerPrincipal?: number | undefined;
}

/** The state of a task, with its result, its error or its question, as clients get it. */
export interface McpTask {
  readonly taskId: string;
  readonly status: "working" | "input_required" | "completed" | "failed" | "cancelled";
  readonly statusMessage?: string;
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  readonly ttlMs: number;
  readonly pollIntervalMs: number;
  readonly result?: object;
  readonly error?: { readonly code: number; readonly message: string };
  readonly inputRequests?: object;
}

export interface TaskRun {
  readonly signal: AbortSignal;
  /** Sets the id of the task before its call runs, if the task can be found by it later. */
  readonly name: (taskId: string) => void;
  /** False until the client waits for a task instead of its request. */
  readonly isTask: () => boolean;
}

/** A question that a call of 2026-07-28 ends with. `id` is the same whenever it is asked. */
export interface TaskQuestion {
  readonly id: string | undefined;
  readonly result: object;
  /** Refuses the stored question, if it must not outlive the task. */
  readonly refuse?: (() => Promise<unknown>) | undefined;
}

/** Runs a call until it ends or has a question; the second time with the answers and the state of the question. */
export type TaskCall = (run: TaskRun, answered?: TaskAnswer) => Promise<{ readonly result: object } | TaskQuestion>;

export interface TaskAnswer {
  readonly inputResponses: JsonObject;
  readonly requestState: string | undefined;
}

export type FindStoredTask = (
  taskId: string,
  principal: string | undefined,
) => Promise<{ readonly createdAt: string; readonly call: TaskCall } | undefined>;

/** The calls that clients wait for as tasks; made by {@link mcpTasks}. For `registerMcpTools`. */
export interface McpTasks {
  /** Runs a call. Returns its result, its question, or the task that it has become. */
  run(request: ServerRequest, call: TaskCall): Promise<object>;
  /** Answers `tasks/get`, `tasks/update` or `tasks/cancel`. Throws a `RequestError` for an unknown task. */
  answer(method: TaskMethod, params: JsonObject, request: ServerRequest, findStored: FindStoredTask): Promise<object>;
}

export const TASK_METHODS = ["tasks/get", "tasks/update", "tasks/cancel"] as const;
type TaskMethod = (typeof TASK_METHODS)[number];

export function isTaskMethod(method: unknown): method is TaskMethod {
  return TASK_METHODS.some((known) => known === method);
}

/** The extension and the capability of clients and servers that support it. */
export const TASKS_EXTENSION = { "io.modelcontextprotocol/tasks": {} } as const;

export function takesTasks({ envelope }: ServerRequest): boolean {
  const capabilities = envelope?.[CLIENT_CAPABILITIES];
  const extensions = isObject(capabilities) ? capabilities["extensions"] : undefined;
  return Object.keys(TASKS_EXTENSION).every((name) => isObject(extensions) && isObject(extensions[name]));
}

const MISSING_CAPABILITY = -32021;
const POLL_MS = 500;
const MOST_TASKS = 1024;

interface KeptTask {
  task: McpTask;
  readonly principal: string | undefined;
  readonly stop: AbortController;
  /** Receives the answers to the open question. */
  answer: ((responses: JsonObject) => void) | undefined;
  /** Answers to a stored question that this process has not asked yet. */
  early: JsonObject | undefined;
  readonly timer: unknown;
}

/**
 * Keeps tasks in memory, and finds tasks of other processes in a call store on demand. A principal finds its own tasks
 * only. If it has too many, ended tasks make room; if none has ended, calls are answered at their end. Throws a
 * `RangeError` for a setting that is not positive.
 */
export function mcpTasks({
  startAfterMs = 5000,
  ttlSeconds = 3600,
  mostPerPrincipal = 32,
}: McpTasksOptions = {}): McpTasks {
  if (!(startAfterMs > 0)) throw new RangeError("mcpTasks: `startAfterMs` must be positive.");
  if (!(ttlSeconds > 0)) throw new RangeError("mcpTasks: `ttlSeconds` must be positive.");
  if (!(mostPerPrincipal >= 1)) throw new RangeError("mcpTasks: `mostPerPrincipal` must be at least 1.");
  const startMs = Math.min(startAfterMs, LONGEST_TIMER);
  const ttlMs = Math.min(Math.ceil(ttlSeconds * 1000), LONGEST_TIMER);
  const entries = new Map<string, KeptTask>();

  function forget({ task: { taskId }, timer, stop }: KeptTask, reason: string): void {
    clearTimeout(timer as never);
    entries.delete(taskId);
    stop.abort(new Error(reason));
  }

  function makeRoom(principal: string | undefined): boolean {
    const own = [...entries.values()].filter((entry) => entry.principal === principal);
    if (own.length < mostPerPrincipal && entries.size < MOST_TASKS) return true;
    const oldest = own.find(({ task }) => hasEnded(task));
    if (oldest !== undefined) forget(oldest, "The task was removed.");
    return oldest !== undefined;
  }

  function keep(taskId: string, createdAt: string, principal: string | undefined, stop: AbortController): KeptTask {
    const left = Date.parse(createdAt) + ttlMs - Date.now();
    const timer = setTimeout(() => forget(entry, "The task has expired."), left);
    (timer as { readonly unref?: () => void }).unref?.();
    const task = { taskId, status: "working", createdAt, lastUpdatedAt: createdAt, ttlMs, pollIntervalMs: POLL_MS };
    const entry: KeptTask = { task: task as McpTask, principal, stop, answer: undefined, early: undefined, timer };
    entries.set(taskId, entry);
    return entry;
  }

  /** Runs the rest of a task's call, with the answers to each question. */
  async function finish(entry: KeptTask, run: TaskRun, call: TaskCall, first: ReturnType<TaskCall>): Promise<void> {
    let outcome: Awaited<typeof first> | undefined;
    try {
      outcome = await first;
      for (let round = 1; "id" in outcome; round += 1) outcome = await call(run, await ask(entry, outcome, round));
      update(entry, { status: "completed", result: { resultType: "complete", ...outcome.result } });
    } catch (error) {
      const code = error instanceof RequestError ? error.code : INTERNAL_ERROR;
      update(entry, { status: "failed", statusMessage: messageOf(error), error: { code, message: messageOf(error) } });
      if (entry.task.status !== "cancelled" || outcome === undefined || !("id" in outcome)) return;
      // Nobody may allow later what the client has cancelled.
      await outcome.refuse?.().catch(() => undefined);
    }
  }

  async function find(
    { taskId }: JsonObject,
    principal: string | undefined,
    findStored: FindStoredTask,
  ): Promise<KeptTask> {
    const entry =
      typeof taskId === "string" ? (entries.get(taskId) ?? (await restore(taskId, principal, findStored))) : undefined;
    if (entry === undefined || entry.principal !== principal) {
      throw new RequestError(INVALID_PARAMS, "The task does not exist, or it has expired.");
    }
    return entry;
  }

  async function restore(
    taskId: string,
    principal: string | undefined,
    findStored: FindStoredTask,
  ): Promise<KeptTask | undefined> {
    const stored = await findStored(taskId, principal);
    const age = Date.now() - Date.parse(stored?.createdAt ?? "");
    // Another request may have been faster.
    if (stored === undefined || entries.has(taskId) || !(age < ttlMs)) return entries.get(taskId);
    if (!makeRoom(principal)) throw new RequestError(INTERNAL_ERROR, "There are too many tasks. Wait until some end.");
    const stop = new AbortController();
    const entry = keep(taskId, stored.createdAt, principal, stop);
    const run: TaskRun = { signal: stop.signal, name: () => undefined, isTask: () => true };
    void finish(entry, run, stored.call, stored.call(run));
    return entry;
  }

  return {
    async run(request, call) {
      const stop = new AbortController();
      const { signal, principal } = request;
      const abort = (): void => stop.abort(signal?.reason);
      if (signal?.aborted === true) abort();
      signal?.addEventListener("abort", abort, { once: true });
      let taskId: string = crypto.randomUUID();
      let entry: KeptTask | undefined;
      const run: TaskRun = {
        signal: stop.signal,
        name: (name) => (taskId = name),
        isTask: () => entry !== undefined,
      };
      const createdAt = new Date().toISOString();
      const first = call(run);
      let timer: unknown;
      const late = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), startMs)));
      try {
        let outcome = await Promise.race([first, late]);
        if (outcome === undefined && makeRoom(principal)) {
          entry = keep(taskId, createdAt, principal, stop);
          void finish(entry, run, call, first);
          return { resultType: "task", ...entry.task };
        }
        outcome ??= await first;
        return outcome.result;
      } finally {
        clearTimeout(timer as never);
        signal?.removeEventListener("abort", abort);
      }
    },
    async answer(method, params, request, findStored) {
      if (!takesTasks(request)) {
        throw new RequestError(MISSING_CAPABILITY, "The client must declare that it supports tasks.", {
          requiredCapabilities: { extensions: TASKS_EXTENSION },
        });
      }
      const entry = await find(params, request.principal, findStored);
      if (method === "tasks/get") return entry.task;
      if (method === "tasks/update") {
        const responses = request.inputResponses as JsonObject | undefined;
        if (responses === undefined) throw new RequestError(INVALID_PARAMS, "`inputResponses` must be an object.");
        if (entry.answer === undefined) entry.early = responses;
        else entry.answer(responses);
        return {};
      }
      update(entry, { status: "cancelled" });
      entry.stop.abort(new Error("The client cancelled the task."));
      return {};
    },
  };
}

function hasEnded({ status }: McpTask): boolean {
  return status !== "working" && status !== "input_required";
}

function update(entry: KeptTask, changed: Partial<McpTask>): void {
  if (hasEnded(entry.task)) return;
  const { inputRequests: _answered, ...task } = entry.task;
  entry.task = { ...task, ...changed, lastUpdatedAt: new Date().toISOString() };
}

/** Shows the question of a task until it is answered. Its keys name it, since clients answer each key once. */
async function ask(entry: KeptTask, { id, result }: TaskQuestion, round: number): Promise<TaskAnswer> {
  const { inputRequests: asked = {}, requestState } = result as { inputRequests?: JsonObject; requestState?: string };
  const requests = Object.entries(asked);
  const keyOf = (name: string): string => `${name} ${id ?? round}`;
  const inputRequests = Object.fromEntries(requests.map(([name, request]) => [keyOf(name), request]));
  const read = (responses: JsonObject | undefined): JsonObject | undefined => {
    const known = requests.flatMap(([name]) => {
      const response = responses?.[keyOf(name)];
      return response === undefined ? [] : [[name, response] as const];
    });
    return known.length === requests.length ? Object.fromEntries(known) : undefined;
  };
  const inputResponses =
    read(entry.early) ??
    (await new Promise<JsonObject>((resolve, reject) => {
      entry.stop.signal.throwIfAborted();
      update(entry, { status: "input_required", inputRequests });
      entry.stop.signal.addEventListener("abort", () => reject(entry.stop.signal.reason), { once: true });
      entry.answer = (responses) => {
        const known = read(responses);
        if (known !== undefined) resolve(known);
      };
    }));
  entry.early = undefined;
  entry.answer = () => undefined;
  update(entry, { status: "working" });
  return { inputResponses, requestState };
}
