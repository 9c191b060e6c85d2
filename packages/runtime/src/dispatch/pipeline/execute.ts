import type { JsonValue } from "@hasp/schema";
import { cloneJson } from "@hasp/base/json";
import { callError, type CallError, LIMIT_CODES } from "../../results/call-errors.js";
import { judgeEffect, readReturned } from "../../results/from-returned.js";
import { failure, type Outcome } from "../../results/outcome.js";
import { findContent } from "../../results/content.js";
import { messageOf } from "../../results/text.js";
import { isToolResult, NotExecuted, readUnexecuted } from "../../results/tool-result.js";
import type { CallTrace, ExecutionOptions, ToolCall, ToolContent, ToolResult } from "../../tool/definition.js";
import { answerNow, readProperty } from "../../tool/callback.js";
import type { ConcurrencyClass, Limit } from "../../tool/fields.js";
import { GRACE_MS, LONGEST_TIMER, type StopCause, withTimeout } from "../scheduling/with-timeout.js";
import { deservesRetry, LONGEST_WAIT_SECONDS, readWaitSeconds } from "./transient.js";
import {
  type CallState,
  type Case,
  displayLine,
  createEventSubject,
  isReader,
  reportProblem,
} from "../state/call-state.js";
import type { CallTracker } from "../state/dispatcher-types.js";
import type { ProgramCalls } from "../state/program-types.js";
import type { Engine, NestedDispatch } from "../state/engine.js";
import { Attempt, type AttemptEnd } from "./attempt.js";

/** A call whose handler runs. */
export interface RunningCall extends Case {
  startedAt: number;
  /** The number of its start in the dispatcher's activity. */
  activity: number;
  /** Work that may still change something after the call was answered: the gate is held until it settles. */
  pending: Promise<void>[] | undefined;
  /** True if some attempt may have taken effect. */
  mayHaveLanded: boolean;
  /** True if an extension answers in place of the handler. */
  isAnswered: boolean;
}

/** Runs the handler of a permitted call with timeouts and safe retries. Never rejects. */
export function execute(run: RunningCall): Outcome | Promise<Outcome> {
  const { engine, call } = run;
  if (!isReader(call)) engine.nested?.program?.onWrite();
  run.startedAt = performance.now();
  run.activity = engine.activity.start();
  const attempt = createAttempt(run);
  const started = startAttempt(run, attempt);
  // A handler that answers at once holds up nobody: its call takes no turn of the event loop.
  if (started instanceof Promise || attempt.nested !== undefined || mayRepeat(run, attempt, started)) {
    return runAttempts(run, attempt, started);
  }
  return finish(run, attempt, started, performance.now() - run.startedAt);
}

async function runAttempts(
  run: RunningCall,
  first: Attempt,
  started: AttemptEnd | Promise<AttemptEnd>,
): Promise<Outcome> {
  let attempt = first;
  for (let end = await started; ; end = await startAttempt(run, attempt)) {
    run.turn.running.delete(attempt);
    const durationMs = performance.now() - run.startedAt;
    if (end.kind === "timed-out" || end.kind === "unresponsive") {
      reportLate(run, attempt);
      const graceMs = end.kind === "unresponsive" ? 0 : GRACE_MS;
      if (!isReader(run.call)) holdGateFor(run, outlive(run.engine, run.call, attempt, graceMs));
    }
    const leftBehind = attempt.nested?.close();
    if (leftBehind !== undefined) holdGateFor(run, leftBehind);
    const isRepeated = mayRepeat(run, attempt, end) && (await mayStartAgain(run, attempt, end, leftBehind));
    if (!isRepeated) return finish(run, attempt, end, durationMs);
    run.mayHaveLanded ||= !hasRunNothing(end);
    attempt = createAttempt(run);
  }
}

function createAttempt({ call, entry }: RunningCall): Attempt {
  call.attempts += 1;
  return new Attempt(entry.tool.metadata.behavior.interruptBehavior === "cancel");
}

function finish(run: RunningCall, attempt: Attempt, end: AttemptEnd, durationMs: number): Outcome {
  const { engine, call } = run;
  const wasConcurrent = engine.activity.end(run.activity);
  const outcome = outcomeOf(run, end, attempt.stoppedBy, durationMs);
  call.wasConcurrent = outcome.wasConcurrent ?? wasConcurrent;
  return outcome;
}

function holdGateFor(run: RunningCall, pending: Promise<void>): void {
  (run.pending ??= []).push(pending);
}

function startAttempt(run: RunningCall, attempt: Attempt): AttemptEnd | Promise<AttemptEnd> {
  const { turn } = run;
  turn.starting = attempt;
  const end = runAttempt(run, attempt);
  turn.starting = undefined;
  if (end instanceof Promise) turn.running.add(attempt);
  return end;
}

function runAttempt(run: RunningCall, attempt: Attempt): AttemptEnd | Promise<AttemptEnd> {
  const { engine, call, entry } = run;
  const { tracker } = engine;
  const { tool } = entry;
  const handle = new ExecutionHandle(run, attempt);
  engine.emit?.({
    type: "started",
    ...createEventSubject(call),
    class: handle.class,
    attempt: call.attempts,
    idempotencyKey: handle.idempotencyKey,
    ...(call.permitted !== undefined && { reason: call.permitted.reason }),
    interruptBehavior: tool.metadata.behavior.interruptBehavior,
    ...displayLine(call, "running"),
  });
  const timeoutMs = inMilliseconds(tool.metadata.limits.timeoutSeconds);
  try {
    if (tracker === undefined) return attempt.waitFor(callHandler(run, handle), timeoutMs);
    return attempt.waitFor(trackHandler(tracker, run, handle, attempt), timeoutMs);
  } catch (error) {
    return attempt.end({ kind: "threw", error });
  }
}

function trackHandler(tracker: CallTracker, run: RunningCall, handle: ExecutionHandle, attempt: Attempt): unknown {
  const { engine, call, entry } = run;
  const { idempotencyKey } = handle;
  const gate = engine.nested?.outermostGate ?? engine.gate;
  const about = { ...createEventSubject(call), idempotencyKey, tool: entry.tool, input: call.input as JsonValue, gate };
  return tracker.run({ ...about, isRunning: () => !attempt.isOver }, () => callHandler(run, handle));
}

function callHandler(run: RunningCall, handle: ExecutionHandle): unknown {
  const { engine, turn, call, entry } = run;
  const { tool } = entry;
  // A listener of the start event may have stopped the turn.
  if (turn.stopped !== undefined) throw new NotExecuted(turn.stopped.message);
  const answer = call.part?.answer();
  run.isAnswered = answer !== undefined;
  if (answer !== undefined) return answer;
  // Each attempt gets its own copy, so that a handler can change its input unseen by others.
  const completion = call.part?.completion;
  if (completion !== undefined) {
    if ("error" in completion) throw new Error(completion.error);
    return completion.output;
  }
  const input = cloneJson(call.input as JsonValue);
  if (tool.external !== true) return tool.execute(input as never, handle as never);
  return engine.external?.({ callId: call.callId, toolName: call.toolName, input }, handle as never);
}

/** Allows a retry only after a retryable error or a timeout, if the call changes nothing or may be repeated. */
function mayRepeat({ call, entry }: RunningCall, attempt: Attempt, end: AttemptEnd): boolean {
  if (end.kind === "returned") return false;
  const { isReadOnly, isIdempotent } = call.classification;
  const maxAttempts = isReadOnly || isIdempotent !== false ? entry.tool.metadata.limits.maxRetries + 1 : 1;
  return call.attempts < maxAttempts && attempt.stoppedBy === undefined && isRetryable(end);
}

async function mayStartAgain(
  { engine, turn, call }: RunningCall,
  attempt: Attempt,
  end: AttemptEnd,
  leftBehind: Promise<void> | undefined,
): Promise<boolean> {
  if (!isReader(call)) {
    await leftBehind;
    if (end.kind === "timed-out" && !(await settlesWithin(attempt.settled, GRACE_MS))) return false;
  }
  try {
    const wanted = end.kind === "threw" ? readWaitSeconds(end.error) * 1000 : 0;
    await withTimeout(sleep(answerNow(engine.retryDelayMs(call.attempts + 1)), wanted), { turn });
    return turn.stopped === undefined;
  } catch {
    return false;
  }
}

function isRetryable(end: AttemptEnd): boolean {
  if (end.kind !== "threw") return end.kind === "timed-out";
  return deservesRetry(end.error) && readWaitSeconds(end.error) <= LONGEST_WAIT_SECONDS;
}

function outcomeOf(run: RunningCall, end: AttemptEnd, stoppedBy: StopCause | undefined, durationMs: number): Outcome {
  const { entry, call, mayHaveLanded } = run;
  const { toolName, classification } = call;
  const { tool } = entry;
  if (end.kind === "returned") {
    const isDiscarded =
      tool.metadata.behavior.interruptBehavior === "cancel" &&
      (stoppedBy?.code === "interrupted" || stoppedBy?.code === "aborted");
    if (!isDiscarded && run.isAnswered) return { ...(end.value as Outcome), durationMs: 0 };
    if (!isDiscarded) {
      const report = tool.validateOutput === undefined ? undefined : mismatchReport(run);
      return readReturned(end.value, tool, classification, durationMs, report);
    }
    const error = callError(`execute/${stoppedBy.code}`, {
      tool: toolName,
      reason: stoppedBy.message,
      call: "discarded",
    });
    return failure(
      error,
      judgeEffect(classification, (isToolResult(end.value) ? end.value.effect : undefined) ?? "unknown"),
      { durationMs },
    );
  }
  const isHarmless = hasRunNothing(end) && !mayHaveLanded;
  const effect = isHarmless ? "none" : judgeEffect(classification, "unknown");
  return failure(errorOf(end, toolName, stoppedBy, tool.metadata.limits.timeoutSeconds), effect, { durationMs });
}

function mismatchReport({ engine, call, entry }: RunningCall): (fault: string) => void {
  return (fault) => {
    const message = `The output of ${entry.tool.name} was passed on: ${fault}`;
    reportProblem(engine, call, "output-mismatch", message);
  };
}

function errorOf(
  end: Exclude<AttemptEnd, { readonly kind: "returned" }>,
  tool: string,
  stoppedBy: StopCause | undefined,
  seconds: Limit,
): CallError {
  if (end.kind === "timed-out") return callError("execute/timeout", { tool, seconds });
  if (end.kind === "unresponsive") {
    const { code, message } = stoppedBy ?? { code: "aborted", message: "it was stopped." };
    return callError(`execute/${code}`, { tool, reason: message, call: "unresponsive" });
  }
  const reason = messageOf(end.error);
  const unexecuted = readUnexecuted(end.error);
  if (unexecuted !== undefined) return callError(`execute/${unexecuted}`, { tool, reason });
  if (stoppedBy === undefined) {
    const limit = LIMIT_CODES.find((code) => code === readProperty(end.error, "code"));
    return callError(`execute/${limit ?? "threw"}`, { tool, reason });
  }
  return callError(`execute/${stoppedBy.code}`, { tool, reason: `${stoppedBy.message} (${reason})`, call: "failed" });
}

/** True if the handler's error says that nothing was run. */
function hasRunNothing(end: AttemptEnd): boolean {
  return end.kind === "threw" && end.error instanceof NotExecuted;
}

function inMilliseconds(limit: Limit): number {
  return limit === "unlimited" ? Infinity : limit * 1000;
}

/** Holds the gate until an abandoned call's handler settles; only readers run meanwhile. */
async function outlive(engine: Engine, call: CallState, attempt: Attempt, graceMs: number): Promise<void> {
  const { over, ended } = engine.gate.abandon(call.callId, call.resource);
  void attempt.settled.then(over);
  await settlesWithin(ended, graceMs);
}

async function settlesWithin(pending: Promise<unknown>, milliseconds: number): Promise<boolean> {
  try {
    await withTimeout(pending, { milliseconds });
    return true;
  } catch {
    return false;
  }
}

function reportLate({ engine, call, startedAt }: RunningCall, attempt: Attempt): void {
  void attempt.settled.then((outcome) =>
    engine.emit?.({
      type: "settled-late",
      ...createEventSubject(call),
      outcome,
      afterMs: performance.now() - startedAt,
    }),
  );
}

/** Waits as long as the host said, and at least as long as the service asks. */
async function sleep(delay: unknown, wanted: number): Promise<void> {
  if (typeof delay !== "number") throw new TypeError("`retryDelayMs` must answer a number");
  const milliseconds = delay > wanted ? Math.min(delay, LONGEST_TIMER) : wanted;
  await new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
}

/** Doubles from 200 ms to at most 10 s, with jitter between half and all of that. */
export function computeRetryDelayMs(attempt: number): number {
  const longest = Math.min(10_000, 200 * 2 ** (attempt - 2));
  return longest * (0.5 + Math.random() / 2);
}

/** A handler's second parameter. Getters, because an abort signal costs more than the rest of a call. */
class ExecutionHandle implements ExecutionOptions<unknown> {
  readonly callId: string;
  readonly idempotencyKey: string;
  readonly class: ConcurrencyClass;
  readonly context: unknown;
  readonly trace: CallTrace | undefined;
  readonly #run: RunningCall;
  readonly #attempt: Attempt;

  constructor(run: RunningCall, attempt: Attempt) {
    const { engine, turn, call } = run;
    this.callId = call.callId;
    this.idempotencyKey = call.idempotencyKey ??= engine.nextIdempotencyKey();
    this.class = call.classification.class;
    this.context = turn.context;
    this.trace = call.trace;
    this.#run = run;
    this.#attempt = attempt;
  }

  get signal(): AbortSignal {
    return this.#attempt.signal;
  }

  /** Tells extensions, which may keep what handlers say, about a secret. */
  get hide(): ((secret: string) => void) | undefined {
    const { part } = this.#run.call;
    return part && ((secret) => part.pass("hide", secret));
  }

  get progress(): (update: JsonValue | readonly ToolContent[]) => void {
    return (given) => {
      if (this.#attempt.isOver) return;
      const { engine, turn, call } = this.#run;
      if (engine.progress === undefined && engine.emit === undefined && turn.onProgress === undefined) return;
      const update = given as JsonValue;
      const content = findContent(update);
      const report = {
        ...createEventSubject(call),
        update,
        ...(content !== undefined && { content }),
        ...displayLine(call, "progress", { progress: update }),
      };
      engine.progress?.(report);
      turn.onProgress?.(report);
      engine.emit?.({ type: "progress", ...report });
    };
  }

  get dispatch(): (calls: readonly ToolCall[]) => Promise<readonly ToolResult[]> {
    return async (calls) => nest(this.#run, this.#attempt).dispatch(calls);
  }

  /** The calls of a program; see `ProgramOptions`. */
  get calls(): ProgramCalls | undefined {
    return nest(this.#run, this.#attempt).program;
  }
}

function nest({ engine, turn, call }: RunningCall, attempt: Attempt): NestedDispatch {
  return (attempt.nested ??= engine.nest(engine, turn, call, attempt));
}
