import type { JsonValue } from "@hasp/schema";
import type { Limit } from "../../tool/fields.js";
import { cloneJson } from "../../json/copy-json.js";
import { effectAfter, fromReturned } from "../../results/from-returned.js";
import { failure, type Outcome } from "../../results/outcome.js";
import { messageOf } from "../../results/text.js";
import { NotExecuted } from "../../results/tool-result.js";
import { NEVER_STOPPED, bounded } from "../scheduling/bounded.js";
import { displayLine } from "../display-line.js";
import type { Engine } from "../engine.js";
import { idsOf, type Slot } from "../slot.js";
import { GRACE_MS, LONGEST_TIMER, type StopCause } from "../scheduling/stop.js";
import type { ToolEntry } from "../registry/tool-entry.js";
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

/** A call that is being executed, over all its attempts. */
export interface Run {
  readonly engine: Engine;
  readonly turn: TurnState;
  readonly slot: Slot;
  readonly entry: ToolEntry;
  readonly isReader: boolean;
  readonly startedAt: number;
  /** What of it may still change the world. */
  lingering: Promise<void>[] | undefined;
  /** Some attempt may have changed the world. */
  mayHaveLanded: boolean;
}

/**
 * Runs the handler of a permitted call: attempts with timeouts, retries where they are safe, an honest word on the
 * effect. Answers at once where the handler does. Never rejects.
 */
export function execute(engine: Engine, turn: TurnState, slot: Slot, entry: ToolEntry): Execution | Promise<Execution> {
  return attempted({
    engine,
    turn,
    slot,
    entry,
    isReader: slot.classification.class === "READ_ONLY",
    startedAt: performance.now(),
    lingering: undefined,
    mayHaveLanded: false,
  });
}

function attempted(run: Run): Execution | Promise<Execution> {
  const { turn, slot, entry } = run;
  slot.attempts += 1;
  const attempt = new Attempt(entry.tool.metadata.behavior.interruptBehavior === "cancel");
  turn.running.add(attempt);
  const end = startAttempt(run, attempt);
  return end instanceof Promise ? end.then((late) => ended(run, attempt, late)) : ended(run, attempt, end);
}

function ended(run: Run, attempt: Attempt, end: AttemptEnd): Execution | Promise<Execution> {
  const { engine, turn, slot, isReader } = run;
  turn.running.delete(attempt);
  const durationMs = performance.now() - run.startedAt;
  if (end.kind === "timed-out" || end.kind === "deaf") {
    reportLate(run, attempt);
    if (!isReader) linger(run, outlive(engine, slot, attempt, end.kind === "deaf" ? 0 : GRACE_MS));
  }
  const leftBehind = attempt.nested?.close();
  if (leftBehind !== undefined) linger(run, leftBehind);
  if (end.kind === "returned" || !mayRepeat(run, attempt, end)) return executed(run, attempt, end, durationMs);

  return mayStartAgain(run, attempt, end, leftBehind).then((again) => {
    if (!again) return executed(run, attempt, end, durationMs);
    run.mayHaveLanded ||= !isNotExecuted(end);
    return attempted(run);
  });
}

function linger(run: Run, pending: Promise<void>): void {
  (run.lingering ??= []).push(pending);
}

function executed(run: Run, attempt: Attempt, end: AttemptEnd, durationMs: number): Execution {
  const { lingering } = run;
  return {
    outcome: outcomeOf(run, end, attempt.stoppedBy, durationMs),
    isFailure: end.kind !== "returned",
    lingering: lingering === undefined ? undefined : Promise.all(lingering).then(() => undefined),
  };
}

function startAttempt(run: Run, attempt: Attempt): AttemptEnd | Promise<AttemptEnd> {
  const { engine, turn, slot, entry } = run;
  const { tracker } = engine;
  const { tool } = entry;
  const handle = new ExecutionHandle(run, attempt);
  engine.emit?.({
    type: "started",
    ...idsOf(slot),
    class: handle.class,
    attempt: slot.attempts,
    idempotencyKey: handle.idempotencyKey,
    ...displayLine(slot, "running"),
  });
  const body = (): unknown => {
    // Whoever was just told of the start may have stopped the turn.
    if (turn.stopped !== undefined) throw new NotExecuted(turn.stopped.message);
    // Each attempt gets a copy of its own: a handler may change what it was given, and nobody else sees it.
    return tool.execute(cloneJson(slot.input as JsonValue) as never, handle as never);
  };
  const timeoutMs = inMilliseconds(tool.metadata.limits.timeoutSeconds);
  if (tracker === undefined) return attempt.start(body, timeoutMs);
  const gate = engine.nested?.outermostGate ?? engine.gate;
  const tracked = { ...idsOf(slot), gate, isRunning: () => !attempt.isOver };
  return attempt.start(() => tracker.run(tracked, body), timeoutMs);
}

/** Only an error that says so, or a timeout, and only what changes nothing or may be repeated. */
function mayRepeat({ slot, entry }: Run, attempt: Attempt, end: AttemptEnd): boolean {
  const { isReadOnly, isIdempotent } = slot.classification;
  const mostAttempts = isReadOnly || isIdempotent !== false ? entry.tool.metadata.limits.maxRetries + 1 : 1;
  return slot.attempts < mostAttempts && attempt.stoppedBy === undefined && isRetryable(end);
}

/** Waits before the next attempt. False where none may start. */
async function mayStartAgain(
  { engine, turn, slot, isReader }: Run,
  attempt: Attempt,
  end: AttemptEnd,
  leftBehind: Promise<void> | undefined,
): Promise<boolean> {
  if (!isReader) {
    await leftBehind;
    if (end.kind === "timed-out" && !(await within(attempt.settled, GRACE_MS))) return false;
  }
  try {
    await bounded(sleep(engine.retryDelayMs(slot.attempts + 1)), turn);
    return turn.stopped === undefined;
  } catch {
    return false;
  }
}

function isRetryable(end: AttemptEnd): boolean {
  return end.kind === "timed-out" || (end.kind === "threw" && property(end.error, "retryable") === true);
}

/** A property of what a handler threw, which may be anything: one that cannot be read is not there. */
function property(thrown: unknown, name: string): unknown {
  try {
    return typeof thrown === "object" && thrown !== null ? (thrown as Record<string, unknown>)[name] : undefined;
  } catch {
    return undefined;
  }
}

function outcomeOf(run: Run, end: AttemptEnd, stoppedBy: StopCause | undefined, durationMs: number): Outcome {
  const { entry, slot, mayHaveLanded } = run;
  const { toolName, classification } = slot;
  if (end.kind === "returned") return fromReturned(end.value, entry, classification, durationMs);
  const unknown = effectAfter(classification, "unknown");
  const failed = (code: string, message: string, effect = unknown): Outcome =>
    failure({ phase: "execute", code, message: `${toolName} ${message}`, effect }, { durationMs });
  switch (end.kind) {
    case "timed-out":
      return failed("timeout", `did not finish within ${entry.tool.metadata.limits.timeoutSeconds} s.`);
    case "deaf":
      return failed(
        stoppedBy?.code ?? "aborted",
        `was told to stop and did not: ${stoppedBy?.message ?? "it was stopped."}`,
      );
    case "threw": {
      const why = messageOf(end.error);
      if (isNotExecuted(end)) return failed("not-executed", `failed: ${why}`, mayHaveLanded ? unknown : "none");
      if (stoppedBy === undefined) return failed("threw", `failed: ${why}`);
      return failed(stoppedBy.code, `failed: ${stoppedBy.message} (${why})`);
    }
  }
}

function isNotExecuted(end: AttemptEnd): boolean {
  return end.kind === "threw" && property(end.error, "code") === "not-executed";
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
  return within(ended, graceMs).then(() => undefined);
}

/** Whether something happens in time. */
function within(pending: Promise<unknown>, milliseconds: number): Promise<boolean> {
  return bounded(pending, NEVER_STOPPED, { milliseconds }).then(
    () => true,
    () => false,
  );
}

function reportLate({ engine, slot, startedAt }: Run, attempt: Attempt): void {
  void attempt.settled.then((outcome) =>
    engine.emit?.({ type: "settled-late", ...idsOf(slot), outcome, afterMs: performance.now() - startedAt }),
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
