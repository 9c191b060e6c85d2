import { refusal, Refusal } from "../results/call-errors.js";
import { ourFault, refused } from "../results/outcome.js";
import { messageOf } from "../results/text.js";
import { execute, type Execution } from "./pipeline/execute.js";
import { finishBatch } from "./pipeline/finish.js";
import { runHooks } from "./pipeline/hooks.js";
import { judge } from "./pipeline/judge.js";
import { parseCall } from "./pipeline/parse.js";
import type { CallQueue } from "./scheduling/call-queue.js";
import type { GateMode } from "./scheduling/gate.js";
import { Stopped, withTimeout, type StopCause } from "./scheduling/with-timeout.js";
import { displayLine, idsOf, inputDigest, type CallState } from "./state/call-state.js";
import type { Engine } from "./state/engine.js";
import type { ToolEntry } from "./state/tool-snapshot.js";
import type { TurnState } from "./state/turn-state.js";

/** Calls that run as one group: readers together, any other call alone. */
interface Batch {
  readonly engine: Engine;
  readonly turn: TurnState;
  readonly queue: CallQueue<CallState>;
  readonly members: CallState[];
  /** How many of them were executed. */
  executed: number;
  /** Set when a call failed that stops its siblings. */
  failed: StopCause | undefined;
  /** What executed calls may still change after they were answered. */
  readonly pending: Promise<unknown>[];
  /** A reader that came while others ran and was not ready when they ended: it waits for the next batch. */
  preparing: Promise<void> | undefined;
}

/**
 * Takes the next batch from the queue, prepares its calls in order (hooks and questions, outside the gate), runs them
 * inside it, and runs post-hooks in order. Readers that are pushed while readers run join them.
 */
export async function runBatch(
  engine: Engine,
  turn: TurnState,
  queue: CallQueue<CallState>,
): Promise<readonly CallState[]> {
  const members: CallState[] = [];
  const batch: Batch = {
    engine,
    turn,
    queue,
    members,
    executed: 0,
    failed: undefined,
    pending: [],
    preparing: undefined,
  };
  const first = nextCall(batch);
  if (first === undefined) return [];
  const wasReader = isReader(first);
  await admit(batch, first);
  const takesMore = wasReader && (isReader(first) || first.outcome !== undefined);
  if (takesMore) await admitReaders(batch);

  const ready = members.filter(isReady);
  if (ready.length > 0) {
    const mode = ready.every(isReader) ? "shared" : "exclusive";
    await insideGate(batch, mode, () => (takesMore ? runReaders(batch, ready) : runAll(batch, ready)));
  }
  // The gate is free by now, and no two hooks of a turn run at once.
  await batch.preparing;
  await finishBatch(engine, turn, members, batch.executed > 1);
  return members;
}

/** The next call of the queue, parsed: its class decides which batch it joins. One that cannot be parsed is no reader. */
function nextCall({ engine, turn, queue }: Batch): CallState | undefined {
  const call = queue.peek();
  if (call?.stage === "pushed") {
    call.stage = "parsed";
    try {
      parseCall(engine, turn.tools, call);
    } catch (error) {
      refuse(engine, call, error);
    }
  }
  return call;
}

/** Takes the next call into the batch and prepares it. Never rejects. */
async function admit({ engine, turn, queue, members }: Batch, call: CallState): Promise<void> {
  queue.take();
  members.push(call);
  if (call.stage === "ready" || call.outcome !== undefined || call.entry === undefined) return;
  call.stage = "ready";
  try {
    if (turn.stopped !== undefined) throw new Stopped(turn.stopped);
    await judge(engine, turn, call, call.entry);
    if (engine.transforms.length + engine.guards.length > 0) await runHooks(engine, turn, call, call.entry);
  } catch (error) {
    refuse(engine, call, error);
  }
}

/** Takes all readers that come next. One that a hook turned into something else goes back: it runs alone. */
async function admitReaders(batch: Batch): Promise<void> {
  for (let call = nextCall(batch); call !== undefined && isReader(call); call = nextCall(batch)) {
    await admit(batch, call);
    if (isReady(call) && !isReader(call)) return giveBack(batch);
  }
}

function giveBack({ members, queue }: Batch): void {
  members.pop();
  queue.putBack();
}

async function insideGate(batch: Batch, mode: GateMode, run: () => Promise<unknown>): Promise<void> {
  const { engine, turn, members, pending } = batch;
  const ticket = engine.gate.enter(mode);
  let release;
  try {
    release = await withTimeout(ticket.granted, { turn });
  } catch (error) {
    ticket.withdraw();
    for (const call of members) if (isReady(call)) refuse(engine, call, error);
    return;
  }
  try {
    await run();
  } finally {
    if (pending.length === 0) release();
    else void Promise.all(pending).then(release, release);
  }
}

function runAll(batch: Batch, calls: readonly CallState[]): Promise<unknown> {
  return Promise.all(calls.map((call) => runCall(batch, call)));
}

/**
 * Runs readers, and those that are pushed meanwhile as soon as they are ready. One that is not ready when all others
 * have ended goes back, since an open question must not hold the gate.
 */
async function runReaders(batch: Batch, ready: readonly CallState[]): Promise<void> {
  const { queue } = batch;
  let running = runAll(batch, ready);
  const beforeTheyEnd = (event: Promise<void>): Promise<boolean> =>
    Promise.race([running.then(() => false), event.then(() => true)]);
  for (;;) {
    const next = nextCall(batch);
    if (next === undefined) {
      if (queue.isClosed) break;
      if (!(await beforeTheyEnd(queue.changed()))) return;
      continue;
    }
    if (!isReader(next)) break;
    const admitted = admit(batch, next);
    if (!(await beforeTheyEnd(admitted))) {
      batch.preparing = admitted;
      return giveBack(batch);
    }
    if (isReady(next) && !isReader(next)) {
      giveBack(batch);
      break;
    }
    if (isReady(next)) running = Promise.all([running, runCall(batch, next)]);
  }
  await running;
}

/** Runs one call as soon as the concurrency limit allows. Never rejects. */
async function runCall(batch: Batch, call: CallState): Promise<void> {
  const { engine, turn } = batch;
  const { limiter } = engine;
  const place = limiter.acquire();
  if (place !== undefined) {
    try {
      await withTimeout(place, { turn });
    } catch (error) {
      void place.then(limiter.release);
      return refuse(engine, call, error);
    }
  }
  try {
    const entry = assertMayRun(batch, call);
    call.stage = "executed";
    batch.executed += 1;
    settle(batch, call, entry, await execute(engine, turn, call, entry));
  } catch (error) {
    if (call.stage === "ready") refuse(engine, call, error);
    else call.outcome = ourFault(error, "unknown");
  } finally {
    limiter.release();
  }
}

/** The tool of a call that may run now; throws whatever keeps it from running. */
function assertMayRun({ engine, turn, failed }: Batch, call: CallState): ToolEntry {
  const { entry, toolName } = call;
  const cause = turn.stopped ?? failed;
  if (cause !== undefined) throw new Stopped(cause);
  if (entry === undefined || call.permitted !== call.input) {
    throw new Error("it reached its execution without permission");
  }
  const earlier = isReader(call) ? undefined : engine.gate.abandonedCall();
  if (earlier !== undefined) throw refusal("execute/earlier-call-still-running", { tool: toolName, earlier });
  return entry;
}

/** Records an execution. A failure that concerns its siblings stops those of its batch, and nothing else. */
function settle(batch: Batch, call: CallState, { tool }: ToolEntry, { outcome, isFailure, pending }: Execution): void {
  call.outcome = outcome;
  if (pending !== undefined) batch.pending.push(pending);
  if (!isFailure || !tool.metadata.behavior.abortsSiblingsOnError || batch.failed !== undefined) return;
  batch.failed = { code: "sibling-failed", message: `${call.toolName} failed, which stops the calls beside it.` };
  batch.turn.stopRunning(batch.failed);
}

/** Answers a call that does not run. */
function refuse(engine: Engine, call: CallState, thrown: unknown): void {
  const reason = toRefusal(call, thrown);
  const { error, remedy } = reason;
  call.outcome = refused(reason);
  if (error.phase !== "permission") return;
  engine.emit?.({
    type: "denied",
    ...idsOf(call),
    inputDigest: inputDigest(call),
    code: error.code,
    reason: error.message,
    ...(remedy !== undefined && { remedy }),
    ...displayLine(call, "rejected"),
  });
}

/** What a phase threw, as a refusal; anything unexpected is a fault of hasp or of a hostile value. */
export function toRefusal({ toolName: tool }: CallState, thrown: unknown): Refusal {
  if (thrown instanceof Refusal) return thrown;
  if (!(thrown instanceof Stopped)) return refusal("schema/internal-error", { tool, reason: messageOf(thrown) });
  const { code, message } = thrown.stop;
  return refusal(`execute/${code}`, { tool, reason: message, call: "not run" });
}

function isReader({ classification }: CallState): boolean {
  return classification.class === "READ_ONLY";
}

function isReady({ outcome }: CallState): boolean {
  return outcome === undefined;
}
