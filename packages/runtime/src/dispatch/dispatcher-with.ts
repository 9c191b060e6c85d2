import type { ToolCall, ToolResult } from "../tool/definition.js";
import type { Dispatcher, DispatcherOptions, TurnOptions } from "./dispatcher-types.js";
import { FAIL_CLOSED_DEFAULTS } from "../tool/fields.js";
import { checkOptions } from "./check-options.js";
import { safely, type Engine } from "./engine.js";
import { createGate } from "./scheduling/gate.js";
import { idempotencyKeys } from "./idempotency-keys.js";
import { defaultRetryDelayMs } from "./pipeline/execute.js";
import { permissionPolicy } from "./pipeline/permission.js";
import { createLimiter } from "./scheduling/limiter.js";
import { environment, maxConcurrency } from "./scheduling/max-concurrency.js";
import { runTurn, type RunningTurn } from "./turn.js";
import { createToolbox } from "./registry/toolbox.js";
import { partFor, type DispatcherParts } from "./parts.js";

/**
 * Makes a dispatcher with the parts that it is given. Throws a `TypeError` for a mistake in the options, and for an
 * option whose part is not there.
 */
export function dispatcherWith<Context, Name extends string>(
  options: DispatcherOptions<Context, Name>,
  parts: DispatcherParts,
): Dispatcher<Context> {
  checkOptions(options);
  const env = options.env ?? environment();
  const cap = maxConcurrency(options.maxConcurrency, env);
  const { hooks, onEvent, resultStore, turnResultBudgetChars } = options;
  const engine: Engine = {
    gate: options.gate ?? createGate(),
    limiter: createLimiter(cap),
    maxConcurrency: cap,
    permissions: permissionPolicy(options.permissions),
    hooks: hooks && partFor("`hooks`", parts.hooks)(hooks),
    interactive: options.interactive === true,
    offload: resultStore && partFor("`resultStore`", parts.resultStore)(resultStore),
    cutToBudget:
      turnResultBudgetChars === undefined
        ? undefined
        : partFor("`turnResultBudgetChars`", parts.turnResultBudget)(turnResultBudgetChars),
    parts,
    dialect: options.dialect,
    hookTimeoutMs: options.hookTimeoutMs ?? Number(FAIL_CLOSED_DEFAULTS.limits.timeoutSeconds) * 1000,
    retryDelayMs: options.retryDelayMs ?? defaultRetryDelayMs,
    nextIdempotencyKey: idempotencyKeys(),
    tracker: options.callTracker,
    emit: onEvent && partFor("`onEvent`", parts.sha256) && safely(onEvent),
    progress: safely(options.onProgress),
    nested: undefined,
  };
  const toolbox = createToolbox(options, engine, env);
  const turns = new Set<RunningTurn>();

  function begin({ signal, context, onResult, onProgress }: TurnOptions<Context> = {}): RunningTurn {
    const caller = engine.tracker?.current();
    const isAround = caller !== undefined && caller.gate === engine.gate && caller.isRunning();
    const turn = runTurn(engine, {
      context,
      signal,
      onResult,
      onProgress,
      ...toolbox.forTurn(),
      onEnd: () => {
        turns.delete(turn);
        return toolbox.afterTurn();
      },
    });
    if (isAround) {
      const message = `The handler of ${caller.toolName} dispatches around the \`dispatch\` it was given, which would wait for itself.`;
      turn.state.stop({ code: "dispatched-around", message });
    }
    turns.add(turn);
    return turn;
  }

  return Object.freeze({
    gate: engine.gate,
    dispatch(calls: readonly ToolCall[], turnOptions?: TurnOptions<Context>): Promise<readonly ToolResult[]> {
      if (!Array.isArray(calls)) {
        return Promise.reject(new TypeError("dispatch takes a list of calls: [{ id, name, input }]."));
      }
      const turn = begin(turnOptions);
      for (const call of calls) turn.push(call);
      return turn.end();
    },
    openTurn(turnOptions?: TurnOptions<Context>) {
      const turn = begin(turnOptions);
      return Object.freeze({ push: turn.push, end: turn.end });
    },
    preview: async (call: ToolCall, turnOptions?: TurnOptions<Context>) =>
      partFor("`preview`", parts.preview)(engine, toolbox.current(), call, turnOptions),
    interrupt(reason = "The user interrupted.") {
      for (const turn of turns) turn.state.stop({ code: "interrupted", message: reason }, "blocking");
    },
    releaseAbandoned: engine.gate.releaseAbandoned,
    definitions: (dialect: string) => toolbox.current().definitions(dialect),
    definitionsDigest: toolbox.digest,
    refresh: toolbox.refresh,
    get leftOut() {
      return toolbox.current().leftOut;
    },
  });
}
