import type { JsonObject } from "@hasp/schema";
import { guard } from "../tool/callback.js";
import type { ToolCall, ToolResult, AnyTool } from "../tool/definition.js";
import { type FlowSetting, strictestFlow } from "../tool/flow-setting.js";
import { checkOptions } from "./check-options.js";
import { createNestedDispatch } from "./nested-calls.js";
import { previewCall } from "./preview.js";
import { runTurn } from "./turn.js";
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
  ToolDefinitions,
  TurnArguments,
  TurnOptions,
} from "./state/dispatcher-types.js";
import type { Engine } from "./state/engine.js";
import type { CommonHost, OwnPart } from "./state/attachments.js";
import { connectExtensions } from "./state/no-extensions.js";
import { CallState, reportProblem } from "./state/call-state.js";
import type { DispatcherExtension } from "./state/extension.js";
import type { RunningTurn, TurnPlace } from "./state/turn-state.js";

/** Creates a dispatcher: it answers every call once and in order, and refuses whatever nobody allowed. */
export function createDispatcher<Context = unknown, Name extends string = string>(
  options: DispatcherOptions<Context, Name>,
): Dispatcher<Context> {
  checkOptions(options);
  const { extensions = [] } = options;
  const { extensions: ofRegistry = [] } = Object(options.tools) as Partial<DispatcherOptions>;
  const given = [...ofRegistry.filter(({ name }) => !extensions.some((each) => each.name === name)), ...extensions];
  if (options.flow === "note" && !given.some(({ name }) => name === "flow")) {
    throw new TypeError(
      'createDispatcher: `flow: "note"` needs the extension `informationFlow` of `@hasp/runtime/flow`.',
    );
  }
  return createKernel(options, given);
}

/** Creates a dispatcher of options that were checked, with these extensions alone. */
export function createKernel<Context = unknown, Name extends string = string>(
  options: DispatcherOptions<Context, Name>,
  extensions: readonly DispatcherExtension[] = [],
): Dispatcher<Context> {
  const env = options.env ?? readEnvironment();
  const engine: Engine = createEngine(options as DispatcherOptions, env, extensions, {
    conversationId,
    begin: (turnOptions, own) => begin(turnOptions as TurnOptions<Context>, own),
    recall: (...about) => engine.extensions.recall(...about),
    first: (fact) => engine.extensions.first(fact),
    has: (name) => extensions.some((each) => each.name === name),
  });
  const registry = new ToolRegistry(options, engine, env);
  const turns = new Set<RunningTurn>();

  function begin(turnOptions: TurnOptions<Context> & { readonly turnId?: string } = {}, own?: OwnPart): RunningTurn {
    const { tools, renewed } = registry.forTurn();
    // A spread would cost a turn of ten calls a fifth of its time.
    const { conversation, principal } = placeOf(turnOptions);
    const turn = runTurn(engine, turnOptions as TurnOptions, {
      conversation,
      principal,
      tools,
      renewed,
      namesConversation: turnOptions.conversation !== undefined,
      own,
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
    const message = `The handler of ${caller.toolName} calls the dispatcher directly and would wait for itself. It must use its own \`dispatch\`.`;
    state.stop({ code: "dispatched-around", message });
  }

  let ownId: string | undefined;

  /** Permissions that dispatchers share tell their conversations apart by the id. */
  function conversationId(id = engine.extensions.first("conversation") ?? (ownId ??= randomText())): string {
    if (typeof id !== "string") throw new TypeError("`conversation` must be a string: the host's own id of it.");
    return id;
  }

  type Place = Pick<TurnPlace, "conversation" | "principal">;

  /** Returns where a turn takes place: by default, in the dispatcher's own conversation, for its own principal. */
  function placeOf({
    conversation,
    principal = engine.extensions.first("conversation"),
  }: TurnOptions<Context> = {}): Place {
    return { conversation: conversationId(conversation), principal };
  }

  engine.extensions.complete();
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
    use: <Api>(extension: DispatcherExtension<Api>) => engine.extensions.use(extension),
    preview(call: ToolCall, turnOptions?: Parameters<Dispatcher<Context>["preview"]>[1]) {
      const about = { ...placeOf(turnOptions), tools: registry.shown() };
      return previewCall(engine, new CallState(call), about, turnOptions);
    },
    async interrupt(reason = "The user interrupted.") {
      const running = [...turns].flatMap(({ state }) => [...state.running]);
      for (const { state } of turns) state.stop({ code: "interrupted", message: reason }, "blocking");
      await Promise.all(running.filter(({ isCancellable }) => !isCancellable).map(({ over }) => over));
    },
    releaseAbandoned: engine.gate.releaseAbandoned,
    definitions: <Dialect extends string>(dialect: Dialect, listOptions = {}) =>
      registry.listFor(dialect, listOptions) as ToolDefinitions<Dialect>,
    isAwaited: (entry: JsonObject) => registry.isAwaited(entry),
    definitionsDigest: (dialect: string) => registry.digest(dialect),
    refresh: () => registry.refresh(),
    get excluded() {
      return registry.current().excluded;
    },
  });
}

function createEngine(
  options: DispatcherOptions,
  env: DispatcherOptions["env"],
  attached: readonly DispatcherExtension[],
  host: Pick<CommonHost, "conversationId" | "begin" | "recall" | "first" | "has">,
): Engine {
  const { hooks = {}, onEvent, onProgress } = options;
  const emit = guard(onEvent);
  const limit =
    options.maxConcurrency ??
    readConcurrency(env, (message) => {
      reportProblem({ emit }, "", "wrong-environment", message);
    });
  const permissions =
    findPermissionState(options.permissions) ?? new PermissionState((options.permissions ?? {}) as Permissions);
  const hookTimeoutMs = options.hookTimeoutMs ?? 60_000;
  const flow = options.flow ?? readFlow(options.tools);
  const extensions = connectExtensions(attached, {
    ...host,
    timeoutMs: hookTimeoutMs,
    flow,
    forgetAnswers: (conversation) => permissions.endConversation(conversation),
    report: (...about) => reportProblem({ emit }, ...about),
  });
  return {
    gate: options.gate ?? createGate(),
    limiter: createLimiter(limit),
    checks: createLimiter(limit),
    activity: new Activity(),
    permissions,
    hooks: { transform: listOf(hooks.transform), guard: listOf(hooks.guard), post: listOf(hooks.post) },
    turnResultBudgetChars: options.turnResultBudgetChars,
    dialect: options.dialect,
    isLenient: options.names === "lenient",
    coerces: options.coerce !== false,
    external: options.external,
    hookTimeoutMs,
    extensions,
    isUnguarded: flow === "ask" && !extensions.owns.includes("flow"),
    retryDelayMs: options.retryDelayMs ?? computeRetryDelayMs,
    nextIdempotencyKey: idempotencyKeys(),
    tracker: options.callTracker,
    emit,
    progress: guard(onProgress),
    nest: (...about) => createNestedDispatch(runTurn, ...about),
    nested: undefined,
  };
}

/** Reads the setting of a registry, or the strictest that is noted at tools listed one by one. */
function readFlow(tools: DispatcherOptions["tools"]): FlowSetting {
  const { flow, tools: listed = tools } = Object(tools) as { readonly flow?: FlowSetting; readonly tools?: unknown };
  if (flow !== undefined || !Array.isArray(listed)) return flow ?? "off";
  return strictestFlow(listed.flatMap((tool?: Partial<AnyTool>) => tool?.registration?.flow ?? []));
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
