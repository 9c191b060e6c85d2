import { refusal, Refusal } from "../results/call-errors.js";
import { createInternalFailure, refused, type Outcome } from "../results/outcome.js";
import { messageOf } from "../results/text.js";
import { answerNow } from "../tool/callback.js";
import { execute, type RunningCall } from "./pipeline/execute.js";
import { decide, isStillPermitted } from "./pipeline/permission.js";
import { askUntilDecided } from "./pipeline/ask.js";
import { Stopped, withTimeout } from "./scheduling/with-timeout.js";
import { displayLine, createEventSubject, isReader, type CallState, type Case } from "./state/call-state.js";
import type { GateMode } from "./scheduling/gate.js";
import type { BatchState } from "./state/batch-state.js";
import type { TurnOptions } from "./state/dispatcher-types.js";
import type { Engine, ToolEntry } from "./state/engine.js";
import { Departed, ExtensionFailure } from "./state/extension-answers.js";

interface Passage extends RunningCall {
  readonly batch: BatchState;
  hold: BatchState["hold"];
  readonly member: number;
  isInside: boolean;
  hasPlace: boolean;
}

/** Takes a call from its hooks to its outcome. Returns `undefined` if nothing had to be awaited. Never throws. */
export function runCall(batch: BatchState, call: CallState, member: number): Promise<void> | undefined {
  const { engine, turn } = batch;
  const passage: Passage = {
    engine,
    turn,
    call,
    entry: call.entry as ToolEntry,
    batch,
    hold: batch.holdFor(call),
    member,
    isInside: false,
    hasPlace: false,
    startedAt: 0,
    activity: 0,
    pending: undefined,
    mayHaveLanded: false,
    isAnswered: false,
  };
  try {
    const ended = enterAtOnce(passage) ? start(passage) : startLater(passage);
    if (ended instanceof Promise) return finishLater(passage, ended);
    settle(passage, ended);
  } catch (error) {
    fail(passage, error);
  }
  leave(passage);
  return undefined;
}

async function finishLater(passage: Passage, ended: Promise<Outcome>): Promise<void> {
  try {
    settle(passage, await ended);
  } catch (error) {
    fail(passage, error);
  } finally {
    leave(passage);
  }
}

/** Enters if nobody has to be asked and gate and limit are free. Otherwise returns `false` and takes no place. */
function enterAtOnce(passage: Passage): boolean {
  const { engine, turn, call, entry, batch, member } = passage;
  if (call.judging !== undefined || call.isStored || turn.refuse !== undefined) return false;
  if (entry.holds === "nothing") return false;
  if (call.thrown !== undefined) throw call.thrown.error;
  if (decide(passage) !== "run") return false;
  batch.questions.pass(member);
  passage.isInside = passage.hold.enterAtOnce(gateMode(call));
  passage.hasPlace = passage.isInside && engine.limiter.acquireAtOnce();
  if (passage.hasPlace && mayStart(passage)) return true;
  giveBack(passage);
  return false;
}

/** Starts at the very moment that the call may: nothing is awaited between the last judgement and the handler. */
async function startLater(passage: Passage): Promise<Outcome> {
  const { engine, turn, call, entry, batch, member } = passage;
  if (call.judging !== undefined) await call.judging;
  if (call.thrown !== undefined) throw call.thrown.error;
  if (turn.refuse !== undefined) askTurn(call, turn.refuse);
  const keeping = call.isStored ? engine.extensions.keeping : undefined;
  if (keeping !== undefined) await placeAfter(passage, () => keeping.advance(passage, "recall"));
  for (;;) {
    if (decide(passage) !== "run") await placeAfter(passage, () => askUntilDecided(passage));
    batch.questions.pass(member);
    // The calls of a program enter on their own.
    if (entry.holds !== "nothing") {
      passage.isInside = true;
      const entering = passage.hold.enter(gateMode(call));
      if (entering !== undefined) await withTimeout(entering, { turn });
      const free = engine.limiter.acquire(turn);
      if (free !== undefined) await free;
      passage.hasPlace = true;
    }
    if (mayStart(passage)) {
      if (keeping === undefined) return start(passage);
      await placeAfter(passage, () => keeping.advance(passage, "reserve"));
      if (call.idempotencyKey !== undefined) break;
    }
    // The permissions or the input changed while it waited: do not ask about a call that holds the gate.
    giveBack(passage);
  }
  if (!mayStart(passage)) throw refusal("permission/no-one-to-ask", { tool: call.toolName, reason: undefined });
  return start(passage);
}

/** Takes a step that may change the input. A call whose input has changed gets a new place in the gate. */
async function placeAfter(passage: Passage, advance: () => Promise<void>): Promise<void> {
  const { turn, call, batch } = passage;
  const { input } = call;
  await advance();
  if (call.input === input) return;
  giveBack(passage);
  if (turn.refuse !== undefined) askTurn(call, turn.refuse);
  passage.hold = batch.holdAlone(call);
}

function gateMode(call: CallState): GateMode {
  return isReader(call) ? "shared" : "exclusive";
}

function start(passage: Passage): Outcome | Promise<Outcome> {
  passage.call.part?.start();
  passage.call.stage = "executed";
  return execute(passage);
}

function fail({ engine, call }: Passage, error: unknown): void {
  if (call.stage === "executed") call.outcome = createInternalFailure(error, "unknown");
  else if (!(error instanceof Departed)) refuse(engine, call, error);
}

function leave(passage: Passage): void {
  const { batch, member, isInside, pending } = passage;
  if (pending !== undefined && isInside) giveBackAfter(passage, pending);
  else giveBack(passage);
  batch.end(member);
}

function giveBackAfter(passage: Passage, pending: readonly Promise<void>[]): void {
  const end = (): void => giveBack(passage);
  void Promise.all(pending).then(end, end);
}

function giveBack(passage: Passage): void {
  if (passage.hasPlace) passage.engine.limiter.release();
  if (passage.isInside) passage.hold.leave();
  passage.hasPlace = passage.isInside = false;
}

/** Asks the turn's `refuse` about the input that will run. Throws a `Refusal` unless the answer is `undefined`. */
function askTurn({ toolName, input }: CallState, ask: NonNullable<TurnOptions["refuse"]>): void {
  let reason: unknown;
  try {
    reason = answerNow(ask({ toolName, input }));
  } catch (error) {
    throw refusal("guard/hook-failed", { reason: messageOf(error) });
  }
  if (reason === undefined) return;
  throw refusal("guard/blocked", {
    tool: toolName,
    reason: typeof reason === "string" ? reason : "no reason was given",
  });
}

/** True if an execution may start now; throws the reason if it can never start. */
function mayStart(about: Case): boolean {
  const { engine, turn, call, entry } = about;
  if (turn.stopped !== undefined) throw new Stopped(turn.stopped);
  if (!isStillPermitted(about)) return false;
  if (call.permitted?.input !== call.input) throw new Error("it was not permitted");
  const isHarmless = isReader(call) || entry.holds === "nothing";
  const earlier = isHarmless ? undefined : engine.gate.abandonedCall(call.resource);
  if (earlier !== undefined) throw refusal("execute/earlier-call-still-running", { tool: call.toolName, earlier });
  return true;
}

function settle(about: Case, outcome: Outcome): void {
  const { engine, turn, call, entry } = about;
  // Another run executes the program again.
  if (engine.extensions.keeping?.isLeftOpen(call) === true) return;
  call.outcome = outcome;
  call.part?.pass("returned", outcome);
  const { phase, code } = outcome.error ?? {};
  if (phase !== "execute" || !entry.tool.metadata.behavior.abortsSiblingsOnError) return;
  if (code === "tool-error" || code === "invalid-input") return;
  turn.stopBatch({
    code: "sibling-failed",
    message: `${call.toolName} failed, which stops the other calls of its batch.`,
  });
}

export function refuse(engine: Engine, call: CallState, thrown: unknown): void {
  const reason = toRefusal(call, thrown);
  const { error, remedy } = reason;
  call.part?.pass("refused", reason);
  call.outcome = engine.extensions.keeping?.explain(call, reason) ?? refused(reason);
  if (error.phase !== "permission") return;
  engine.emit?.({
    type: "denied",
    ...createEventSubject(call),
    inputDigest: engine.permissions.digests.digest(call),
    code: error.code,
    reason: error.message,
    ...(remedy !== undefined && { remedy }),
    ...displayLine(call, "rejected", { error: call.outcome.error }),
  });
}

/** Turns a thrown value into a refusal. Anything unexpected is our fault or a hostile value. */
export function toRefusal({ toolName: tool }: CallState, thrown: unknown): Refusal {
  if (thrown instanceof Refusal) return thrown;
  if (thrown instanceof ExtensionFailure) {
    const { extension, reason } = thrown;
    return refusal("permission/extension-failed", { tool, extension, reason });
  }
  if (!(thrown instanceof Stopped)) return refusal("schema/internal-error", { tool, reason: messageOf(thrown) });
  const { code, message } = thrown.stop;
  return refusal(`execute/${code}`, { tool, reason: message, call: "not run" });
}
