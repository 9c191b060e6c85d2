import type { JsonValue } from "@hasp/schema";
import type { Limit } from "../../contract/metadata.js";
import { cloneJson } from "../../json/copy-json.js";
import { effectAfter, fromReturned } from "../../results/from-returned.js";
import { failure, type Outcome } from "../../results/outcome.js";
import { messageOf } from "../../results/text.js";
import { bounded } from "../bounded.js";
import type { Engine } from "../engine.js";
import type { Slot } from "../slot.js";
import { GRACE_MS, LONGEST_TIMER, type StopCause } from "../stop.js";
import type { ToolEntry } from "../tool-entry.js";
import type { TurnState } from "../turn-state.js";
import { Attempt, type AttemptEnd } from "./attempt.js";
import { ExecutionHandle } from "./execution-handle.js";

/** What came of an execution, and what of it still goes on. */
export interface Execution {
  readonly outcome: Outcome;
  /** The handler threw or ran out of time, which may concern its siblings. */
  readonly isFailure: boolean;
  /** Resolves when the call no longer changes the world, or may be taken to: the gate is held until then. */
  readonly lingering: Promise<void> | undefined;
}

/** Runs the handler of a permitted call: attempts with timeouts, retries where they are safe, an honest word on the effect. */
export async function execute(engine: Engine, turn: TurnState, slot: Slot, entry: ToolEntry): Promise<Execution> {
  const { tool } = entry;
  const { limits, behavior } = tool.metadata;
  const { classification } = slot;
  const isReader = classification.class === "READ_ONLY";
  const mayRepeat = classification.isReadOnly || classification.isIdempotent !== false;
  const mostAttempts = mayRepeat ? limits.maxRetries + 1 : 1;
  const startedAt = performance.now();
  const lingering: Promise<void>[] = [];
  let mayHaveLanded = false;

  for (;;) {
    slot.attempts += 1;
    const attempt = new Attempt(behavior.interruptBehavior === "cancel");
    turn.running.add(attempt);
    const pending = startAttempt(engine, turn, slot, entry, attempt);
    const end = pending instanceof Promise ? await pending : pending;
    turn.running.delete(attempt);

    const durationMs = performance.now() - startedAt;
    if (end.kind === "timed-out" || end.kind === "deaf") {
      reportLate(engine, slot, attempt, startedAt);
      if (!isReader) lingering.push(outlive(engine, slot, attempt, end.kind === "deaf" ? 0 : GRACE_MS));
    }
    const leftBehind = attempt.nested?.close();
    if (leftBehind !== undefined) lingering.push(leftBehind);
    const again =
      slot.attempts < mostAttempts &&
      attempt.stoppedBy === undefined &&
      isRetryable(end) &&
      (isReader || (await leftBehind) === undefined) &&
      (await mayStartAgain(engine, turn, slot, attempt, end, isReader));
    if (again) {
      mayHaveLanded ||= !isNotExecuted(end);
      continue;
    }

    return {
      outcome: outcomeOf(end, attempt.stoppedBy, slot, entry, durationMs, mayHaveLanded),
      isFailure: end.kind !== "returned",
      lingering: lingering.length === 0 ? undefined : Promise.all(lingering).then(() => undefined),
    };
  }
}

function startAttempt(
  engine: Engine,
  turn: TurnState,
  slot: Slot,
  { tool }: ToolEntry,
  attempt: Attempt,
): AttemptEnd | Promise<AttemptEnd> {
  const { emit, tracker } = engine;
  const { callId, toolName } = slot;
  const handle = new ExecutionHandle(engine, turn, slot, attempt);
  if (emit !== undefined) {
    const { class: callClass, idempotencyKey } = handle;
    emit({ type: "started", callId, toolName, class: callClass, attempt: slot.attempts, idempotencyKey });
  }
  // Each attempt gets a copy of its own: a handler may change what it was given, and nobody else sees it.
  const run = (): unknown => tool.execute(cloneJson(slot.input as JsonValue) as never, handle as never);
  const timeoutMs = inMilliseconds(tool.metadata.limits.timeoutSeconds);
  if (tracker === undefined) return attempt.start(run, timeoutMs);
  const tracked = { callId, toolName, gate: engine.gate, isRunning: () => !attempt.isOver };
  return attempt.start(() => tracker.run(tracked, run), timeoutMs);
}

/** Waits before the next attempt. False where none may start. */
async function mayStartAgain(
  engine: Engine,
  turn: TurnState,
  slot: Slot,
  attempt: Attempt,
  end: AttemptEnd,
  isReader: boolean,
): Promise<boolean> {
  if (end.kind === "timed-out" && !isReader && !(await settlesWithin(attempt, GRACE_MS))) return false;
  try {
    await bounded(sleep(engine.retryDelayMs(slot.attempts + 1)), turn);
    return turn.stopped === undefined;
  } catch {
    return false;
  }
}

function isRetryable(end: AttemptEnd): boolean {
  if (end.kind === "timed-out") return true;
  return (
    end.kind === "threw" &&
    typeof end.error === "object" &&
    end.error !== null &&
    (end.error as { retryable?: unknown }).retryable === true
  );
}

function outcomeOf(
  end: AttemptEnd,
  stoppedBy: StopCause | undefined,
  slot: Slot,
  entry: ToolEntry,
  durationMs: number,
  mayHaveLanded: boolean,
): Outcome {
  const { toolName, classification } = slot;
  switch (end.kind) {
    case "returned":
      return fromReturned(end.value, entry, classification, durationMs);
    case "threw": {
      const notExecuted = isNotExecuted(end);
      const code = notExecuted ? "not-executed" : (stoppedBy?.code ?? "threw");
      const why =
        stoppedBy === undefined || notExecuted
          ? messageOf(end.error)
          : `${stoppedBy.message} (${messageOf(end.error)})`;
      const effect = notExecuted && !mayHaveLanded ? "none" : effectAfter(classification, "unknown");
      return failure({ phase: "execute", code, message: `${toolName} failed: ${why}`, effect }, { durationMs });
    }
    case "timed-out": {
      const seconds = entry.tool.metadata.limits.timeoutSeconds;
      const message = `${toolName} did not finish within ${seconds} s.`;
      return failure(
        { phase: "execute", code: "timeout", message, effect: effectAfter(classification, "unknown") },
        { durationMs },
      );
    }
    case "deaf": {
      const { code, message } = stoppedBy ?? { code: "aborted", message: "It was stopped." };
      return failure(
        {
          phase: "execute",
          code,
          message: `${toolName} was told to stop and did not: ${message}`,
          effect: effectAfter(classification, "unknown"),
        },
        { durationMs },
      );
    }
  }
}

function isNotExecuted(end: AttemptEnd): boolean {
  return (
    end.kind === "threw" &&
    typeof end.error === "object" &&
    end.error !== null &&
    (end.error as { code?: unknown }).code === "not-executed"
  );
}

function inMilliseconds(limit: Limit): number {
  return limit === "unlimited" ? Infinity : limit * 1000;
}

/**
 * From now on the call is abandoned, until its handler settles or the host declares it over: calls that are not readers
 * are refused. The gate is held until then, or until the grace ends.
 */
function outlive(engine: Engine, slot: Slot, attempt: Attempt, graceMs: number): Promise<void> {
  const { over, ended } = engine.gate.abandon(slot.callId);
  void attempt.settled.then(over);
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, graceMs);
    void ended.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

function settlesWithin(attempt: Attempt, grace: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), grace);
    void attempt.settled.then(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}

function reportLate(engine: Engine, { callId, toolName }: Slot, attempt: Attempt, startedAt: number): void {
  const { emit } = engine;
  if (emit === undefined) return;
  void attempt.settled.then((outcome) =>
    emit({ type: "settled-late", callId, toolName, outcome, afterMs: performance.now() - startedAt }),
  );
}

function sleep(delay: number): Promise<void> {
  // No number at all is no delay.
  const milliseconds = delay > 0 ? Math.min(delay, LONGEST_TIMER) : 0;
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Doubling from 200 ms, at most 10 s, each somewhere between half and the whole of that. */
export function defaultRetryDelayMs(attempt: number): number {
  const most = Math.min(10_000, 200 * 2 ** (attempt - 2));
  return most * (0.5 + Math.random() / 2);
}
