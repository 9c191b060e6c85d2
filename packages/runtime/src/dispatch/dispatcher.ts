import { loadOnce, guard } from "../tool/callback.js";
import { FAIL_CLOSED_DEFAULTS } from "../tool/fields.js";
import type { ToolCall, ToolResult } from "../tool/definition.js";
import { type FlowSetting, strictestFlow } from "../tool/flow-setting.js";
import type { AnyTool } from "../tool/tool.js";
import { memoryResultStore } from "../results/memory-result-store.js";
import type { CallRecord } from "../calls/call-store.js";
import { checkOptions } from "./check-options.js";
import { type RunningTurn, runTurn } from "./turn.js";
import { computeRetryDelayMs } from "./pipeline/execute.js";
import { findPermissionState } from "./permissions/create-permissions.js";
import { PermissionState } from "./permissions/permission-state.js";
import type { Permissions } from "./permissions/permission-types.js";
import { ToolRegistry } from "./registry/tool-registry.js";
import { Activity, createLimiter, readEnvironment, readConcurrency } from "./scheduling/concurrency.js";
import { createGate } from "./scheduling/gate.js";
import type {
  CallTracker,
  Dispatcher,
  DispatcherOptions,
  ResumeArguments,
  RunArguments,
  RunOptions,
  StoredAnswer,
  ToolDefinitions,
  TurnArguments,
  TurnOptions,
} from "./state/dispatcher-types.js";
import { createSharingReport } from "./pipeline/guard.js";
import type { Engine, NestedDispatch } from "./state/engine.js";
import type { StoredTurns } from "./stored-turns.js";
import { createCallState } from "./state/call-state.js";
import type { Conversation } from "./state/conversation.js";
import { Conversations } from "./state/conversations.js";

/** Creates a dispatcher: it answers every call once and in order, and refuses whatever nobody allowed. */
export function createDispatcher<Context = unknown, Name extends string = string>(
  options: DispatcherOptions<Context, Name>,
): Dispatcher<Context> {
  checkOptions(options);
  const env = options.env ?? readEnvironment();
  const engine = createEngine(options as DispatcherOptions, env);
  const registry = new ToolRegistry(options, engine, env);
  const turns = new Set<RunningTurn>();
  options.tape?.begin?.();

  function begin(turnOptions: TurnOptions<Context> & { readonly turnId?: string } = {}): RunningTurn {
    const { tools, renewed } = registry.forTurn();
    const turn = runTurn(engine, turnOptions as TurnOptions, {
      tools,
      renewed,
      conversation: findFor(turnOptions),
      onEnd: () => {
        turns.delete(turn);
        return registry.afterTurn();
      },
    });
    if (engine.tracker !== undefined) stopAround(engine.tracker, turn);
    turns.add(turn);
    return turn;
  }

  /** Stops a turn that a handler opens past its own `dispatch`. */
  function stopAround(tracker: CallTracker, { state }: RunningTurn): void {
    const caller = tracker.current();
    if (caller === undefined || caller.gate !== engine.gate || !caller.isRunning()) return;
    const message = `The handler of ${caller.toolName} calls the dispatcher directly and would wait for itself. It must use the \`dispatch\` that it was given.`;
    state.stop({ code: "dispatched-around", message });
  }

  let ownId: string | undefined;

  /** Permissions that dispatchers share tell their conversations apart by the id. */
  function ownConversation(): string {
    return options.callStore === undefined ? (ownId ??= randomText()) : (options.principal ?? "");
  }

  function find(id = ownConversation()): Conversation {
    if (typeof id !== "string") throw new TypeError("`conversation` must be a string: the host's own id of it.");
    return engine.conversations.get(id);
  }

  const sharing = createSharingReport(engine);

  function findFor({ conversation, principal = options.principal }: TurnOptions<Context>): Conversation {
    if (conversation === undefined) sharing(principal);
    return find(conversation);
  }

  const loadStoredTurns = loadOnce(async (): Promise<StoredTurns> => {
    const { createStoredTurns } = await import("./stored-turns.js");
    const recallLabels = async (id: string, calls: readonly CallRecord[]): Promise<void> =>
      engine.flow === "off" ? undefined : engine.conversations.recall(id, calls);
    return createStoredTurns(options as DispatcherOptions<never>, engine.hookTimeoutMs, begin as never, recallLabels);
  });

  return Object.freeze({
    gate: engine.gate,
    async dispatch(calls: readonly ToolCall[], ...turnOptions: TurnArguments<Context>): Promise<readonly ToolResult[]> {
      if (!Array.isArray(calls)) throw new TypeError("dispatch takes a list of calls: [{ id, name, input }].");
      const turn = begin(turnOptions[0]);
      for (const call of calls) turn.push(call);
      return turn.end();
    },
    openTurn(...[turnOptions]: TurnArguments<Context>) {
      const turn = begin(turnOptions);
      return Object.freeze({ push: turn.push, end: turn.end });
    },
    run: async (calls: readonly ToolCall[], ...[runOptions]: RunArguments<Context>) =>
      (await loadStoredTurns()).run(calls, runOptions as RunOptions<never>),
    resume: async (turnId: string, ...[turnOptions]: ResumeArguments<Context>) =>
      (await loadStoredTurns()).resume(turnId, turnOptions as TurnOptions<never>),
    answer: async (questionId: string, answer: StoredAnswer) => (await loadStoredTurns()).answer(questionId, answer),
    preview(call: ToolCall, turnOptions?: TurnOptions<Context>) {
      const about = { tools: registry.shown(), conversation: find(turnOptions?.conversation) };
      const received = createCallState(call);
      return import("./preview.js").then(async ({ previewCall }) =>
        previewCall(engine, received, about, turnOptions, options.callStore !== undefined),
      );
    },
    labels: async (conversation?: string) => engine.conversations.labels(find(conversation).id),
    forget: async (conversation?: string) => {
      const { id } = find(conversation);
      await engine.conversations.forget(id);
      engine.permissions.endConversation(id);
    },
    async interrupt(reason = "The user interrupted.") {
      const running = [...turns].flatMap(({ state }) => [...state.running]);
      for (const { state } of turns) state.stop({ code: "interrupted", message: reason }, "blocking");
      await Promise.all(running.filter(({ isCancellable }) => !isCancellable).map(({ over }) => over));
    },
    releaseAbandoned: engine.gate.releaseAbandoned,
    definitions: <Dialect extends string>(dialect: Dialect, listOptions = {}) =>
      registry.listFor(dialect, listOptions) as ToolDefinitions<Dialect>,
    definitionsDigest: (dialect: string) => registry.digest(dialect),
    refresh: () => registry.refresh(),
    get excluded() {
      return registry.current().excluded;
    },
  });
}

function createEngine(options: DispatcherOptions, env: DispatcherOptions["env"]): Engine {
  const { hooks = {}, onEvent, onProgress } = options;
  const emit = guard(onEvent);
  const limit =
    options.maxConcurrency ??
    readConcurrency(env, (message) => {
      emit?.({ type: "problem", callId: "", toolName: "", code: "wrong-environment", message });
    });
  const permissions =
    findPermissionState(options.permissions) ?? new PermissionState((options.permissions ?? {}) as Permissions);
  if (options.interactive === true && permissions.ask === undefined) {
    throw new TypeError("createDispatcher: `interactive: true` needs `permissions.ask`, which asks the person.");
  }
  const resultStore = options.resultStore === false ? undefined : (options.resultStore ?? memoryResultStore());
  const hookTimeoutMs = options.hookTimeoutMs ?? Number(FAIL_CLOSED_DEFAULTS.limits.timeoutSeconds) * 1000;
  return {
    gate: options.gate ?? createGate(),
    limiter: createLimiter(limit),
    checks: createLimiter(limit),
    questions: createLimiter(options.maxOpenQuestions ?? 1),
    activity: new Activity(),
    maxConcurrency: limit,
    permissions,
    transforms: listOf(hooks.transform),
    guards: listOf(hooks.guard),
    posts: listOf(hooks.post),
    interactive: options.interactive ?? permissions.ask !== undefined,
    resultStore,
    stored: { isUsed: resultStore?.isOfManyProcesses === true, isListed: false },
    turnResultBudgetChars: options.turnResultBudgetChars,
    dialect: options.dialect,
    hookTimeoutMs,
    conversations: new Conversations(options.callStore, hookTimeoutMs),
    flow: options.flow ?? readFlow(options.tools),
    retryDelayMs: options.retryDelayMs ?? computeRetryDelayMs,
    nextIdempotencyKey: idempotencyKeys(),
    tracker: options.callTracker,
    emit,
    progress: guard(onProgress),
    ...nestOnUse(),
    nested: undefined,
    tape: options.tape,
  };
}

/** Reads the setting of a registry, or the strictest that is noted at tools listed one by one. */
function readFlow(tools: DispatcherOptions["tools"]): FlowSetting {
  const { flow, tools: listed = tools } = Object(tools) as { readonly flow?: FlowSetting; readonly tools?: unknown };
  if (flow !== undefined || !Array.isArray(listed)) return flow ?? "off";
  return strictestFlow(listed.flatMap((tool?: Partial<AnyTool>) => tool?.registration?.flow ?? []));
}

/** Loads the code of handlers that dispatch with the first of them, whose calls wait for it. */
function nestOnUse(): Pick<Engine, "loadNested" | "nest"> {
  let loaded: typeof import("./nested-calls.js") | undefined;
  const loadNested = loadOnce(async () => (loaded = await import("./nested-calls.js")));
  return {
    loadNested,
    nest(...about): NestedDispatch {
      if (loaded !== undefined) return loaded.createNestedDispatch(runTurn, ...about);
      const loading = loadNested().then(({ createNestedDispatch }) => createNestedDispatch(runTurn, ...about));
      return {
        program: undefined,
        async dispatch(calls) {
          const given = [...calls];
          return (await loading).dispatch(given);
        },
        close: () =>
          loading.then(
            ({ close }) => close(),
            () => undefined,
          ),
      };
    },
  };
}

function listOf<Hook>(given: Hook | readonly Hook[] | undefined): readonly Hook[] {
  return given === undefined ? [] : ([given].flat() as readonly Hook[]);
}

/** Creates a source of unique keys. Call ids would not do: some providers repeat them in every turn. */
function idempotencyKeys(): () => string {
  let prefix: string | undefined;
  let count = 0;
  // Created with the first key: some platforms offer no randomness while modules load.
  return () => `${(prefix ??= `${randomText()}-`)}${(count += 1)}`;
}

function randomText(): string {
  return [Date.now(), Math.random(), Math.random()].map((number) => number.toString(36).replace("0.", "")).join("-");
}
