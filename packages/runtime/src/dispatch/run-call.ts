import { refusal, Refusal } from "../results/call-errors.js";
import { ourFault, refused } from "../results/outcome.js";
import { messageOf } from "../results/text.js";
import { answerNow } from "../tool/callback.js";
import { askCheck, askPerson, assertSomebodyToAsk } from "./pipeline/ask.js";
import { execute, type Execution } from "./pipeline/execute.js";
import { decide, isStillPermitted, type Case } from "./pipeline/permission.js";
import { withinLimit } from "./scheduling/limiter.js";
import { Stopped, withTimeout } from "./scheduling/with-timeout.js";
import { Departed } from "./state/stored-call.js";
import type { BatchState } from "./state/batch-state.js";
import { displayLine, eventSubject, inputDigest, type CallState } from "./state/call-state.js";
import type { TurnOptions } from "./state/dispatcher-types.js";
import type { Engine } from "./state/engine.js";

/**
 * Takes a call that has passed its hooks to its outcome: `check` and a person where votes leave it open, the gate, a
 * place under the limit, execution. Never rejects.
 */
export async function runCall(batch: BatchState, call: CallState, member: number): Promise<void> {
  const { engine, turn, hold } = batch;
  const { limiter } = engine;
  let isInside = false;
  let hasPlace = false;
  let pending: Promise<unknown> | undefined;
  try {
    if (call.judging !== undefined) await call.judging;
    if (call.thrown !== undefined) throw call.thrown.error;
    const about = caseOf(batch, call);
    if (turn.refuse !== undefined) askTurn(call, turn.refuse);
    call.stored?.recall(call);
    for (;;) {
      if (decide(about) !== "run") await askUntilDecided(about, batch, member);
      batch.questions.pass(member);
      isInside = true;
      const entering = hold.enter(call.classification.class === "READ_ONLY" ? "shared" : "exclusive");
      if (entering !== undefined) await withTimeout(entering, { turn });
      const free = limiter.acquire(turn);
      if (free !== undefined) await free;
      hasPlace = true;
      if (mayStart(about)) break;
      // The permissions changed while it waited: do not ask about a call that holds the gate.
      limiter.release();
      hold.leave();
      isInside = hasPlace = false;
    }
    if (call.stored !== undefined) {
      await call.stored.reserve(about);
      if (!mayStart(about)) throw refusal("permission/no-one-to-ask", { tool: call.toolName, reason: undefined });
    }
    call.stage = "executed";
    const started = execute(engine, turn, call, about.entry);
    const execution = started instanceof Promise ? await started : started;
    pending = execution.pending;
    settle(about, execution);
  } catch (error) {
    if (call.stage === "executed") call.outcome = ourFault(error, "unknown");
    else if (!(error instanceof Departed)) refuse(engine, call, error);
  } finally {
    if (hasPlace) limiter.release();
    if (isInside && pending === undefined) hold.leave();
    else if (isInside) {
      void pending?.then(
        () => hold.leave(),
        () => hold.leave(),
      );
    }
    batch.end(member);
  }
}

function caseOf({ engine, turn }: BatchState, call: CallState): Case {
  if (call.entry === undefined) throw new Error("a parsed call has no tool");
  return { engine, turn, call, entry: call.entry };
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

/** Asks `check` and then a person, as far as needed. Rejects with the `Refusal` of whoever refuses. */
async function askUntilDecided(about: Case, batch: BatchState, member: number): Promise<void> {
  const { engine, turn, call } = about;
  for (let verdict = decide(about); verdict !== "run"; verdict = decide(about)) {
    if (verdict === "check") {
      await withinLimit(engine.checks, turn, () => askCheck(about));
      continue;
    }
    assertSomebodyToAsk(about);
    const reached = batch.questions.reached(member);
    if (reached !== undefined) await withTimeout(reached, { turn });
    await withinLimit(engine.questions, turn, async () => {
      batch.questions.pass(member);
      // A change during the wait may have decided it.
      if (decide(about) !== "ask") return;
      await (call.stored === undefined ? askPerson(about) : call.stored.ask(about));
    });
  }
}

/** True if an execution may start now; throws whatever keeps it from starting at all. */
function mayStart(about: Case): boolean {
  const { engine, turn, call } = about;
  if (turn.stopped !== undefined) throw new Stopped(turn.stopped);
  if (!isStillPermitted(about)) return false;
  if (call.permitted !== call.input) throw new Error("it reached its execution without permission");
  const earlier = call.classification.class === "READ_ONLY" ? undefined : engine.gate.abandonedCall();
  if (earlier !== undefined) throw refusal("execute/earlier-call-still-running", { tool: call.toolName, earlier });
  return true;
}

/** Records an execution. A failure that concerns its siblings stops those of its batch, and nothing else. */
function settle({ turn, call, entry }: Case, { outcome, isFailure }: Execution): void {
  call.outcome = outcome;
  if (!isFailure || !entry.tool.metadata.behavior.abortsSiblingsOnError) return;
  turn.stopBatch({
    code: "sibling-failed",
    message: `${call.toolName} failed, which stops the other calls of its batch.`,
  });
}

export function refuse(engine: Engine, call: CallState, thrown: unknown): void {
  const reason = toRefusal(call, thrown);
  const { error, remedy } = reason;
  call.outcome = call.stored === undefined ? refused(reason) : call.stored.explain(reason);
  if (error.phase !== "permission") return;
  engine.emit?.({
    type: "denied",
    ...eventSubject(call),
    inputDigest: inputDigest(call),
    code: error.code,
    reason: error.message,
    ...(remedy !== undefined && { remedy }),
    ...displayLine(call, "rejected", { error: call.outcome.error }),
  });
}

/** Turns a thrown value into a refusal. Anything unexpected is our fault or a hostile value. */
export function toRefusal({ toolName: tool }: CallState, thrown: unknown): Refusal {
  if (thrown instanceof Refusal) return thrown;
  if (!(thrown instanceof Stopped)) return refusal("schema/internal-error", { tool, reason: messageOf(thrown) });
  const { code, message } = thrown.stop;
  return refusal(`execute/${code}`, { tool, reason: message, call: "not run" });
}
