import { ourFault, refused, Refusal } from "../results/outcome.js";
import { messageOf } from "../results/text.js";
import { Stopped, bounded } from "./scheduling/bounded.js";
import type { CallQueue } from "./scheduling/call-queue.js";
import { displayLine } from "./display-line.js";
import type { Engine } from "./engine.js";
import { finishBatch } from "./finish.js";
import type { GateMode } from "./scheduling/gate.js";
import { execute, type Execution } from "./pipeline/execute.js";
import { parseCall } from "./pipeline/parse.js";
import { prepareCall } from "./pipeline/prepare-call.js";
import { idsOf, inputDigest, type Slot } from "./slot.js";
import type { StopCause } from "./scheduling/stop.js";
import type { ToolEntry } from "./registry/tool-entry.js";
import type { TurnState } from "./turn-state.js";

/** Calls that run as one group: readers together, any other call alone. */
interface Batch {
  readonly engine: Engine;
  readonly turn: TurnState;
  readonly queue: CallQueue;
  readonly members: Slot[];
  /** How many of them were executed. */
  executed: number;
  /** Set when a call failed whose failure concerns its siblings. */
  failed: StopCause | undefined;
  /** What of the executed calls may still change the world after they were answered. */
  readonly lingering: Promise<void>[];
  /** A reader that came while others ran, and is still asked about: it waits for the next batch. */
  preparing: Promise<void> | undefined;
}

/**
 * Takes the next batch from the queue, prepares its calls in order (hooks and questions, outside the gate), runs them
 * inside it, and lets hooks see the results in order. Readers that are pushed while readers run join them.
 */
export async function runBatch(engine: Engine, turn: TurnState, queue: CallQueue): Promise<readonly Slot[]> {
  const batch: Batch = {
    engine,
    turn,
    queue,
    members: [],
    executed: 0,
    failed: undefined,
    lingering: [],
    preparing: undefined,
  };
  const first = nextCall(batch);
  if (first === undefined) return [];
  const wasReader = isReader(first);
  const pending = admit(batch, first);
  if (pending !== undefined) await pending;
  const takesMore = wasReader && (isReader(first) || first.outcome !== undefined);
  if (takesMore) await admitReaders(batch);

  const ready = batch.members.filter(isReady);
  if (ready.length > 0) {
    const mode = ready.every(isReader) ? "shared" : "exclusive";
    await insideGate(batch, mode, () => (takesMore ? runReaders(batch, ready) : runAll(batch, ready)));
  }
  // The gate is free by now, and no two hooks of a turn run at once.
  if (batch.preparing !== undefined) await batch.preparing;
  await finishBatch(engine, turn, batch.members, batch.executed > 1);
  return batch.members;
}

/**
 * The next call of the queue, parsed: its class decides which batch it belongs to. What cannot be parsed is no reader.
 */
function nextCall({ engine, turn, queue }: Batch): Slot | undefined {
  const slot = queue.peek();
  if (slot?.stage === "pushed") {
    slot.stage = "parsed";
    try {
      parseCall(engine, turn.toolset, slot);
    } catch (error) {
      refuse(engine, slot, error);
    }
  }
  return slot;
}

/** Takes the next call into the batch and brings it as far as it goes without the gate. Never rejects. */
function admit({ engine, turn, queue, members }: Batch, slot: Slot): void | Promise<void> {
  queue.take();
  members.push(slot);
  if (slot.stage === "ready" || slot.outcome !== undefined || slot.entry === undefined) return;
  slot.stage = "ready";
  try {
    if (turn.stopped !== undefined) throw new Stopped(turn.stopped);
    const pending = prepareCall(engine, turn, slot, slot.entry);
    if (pending !== undefined) return pending.catch((error: unknown) => refuse(engine, slot, error));
  } catch (error) {
    refuse(engine, slot, error);
  }
}

/** Takes all readers that come next. One that a hook turned into something else goes back: it stands alone. */
async function admitReaders(batch: Batch): Promise<void> {
  for (let slot = nextCall(batch); slot !== undefined && isReader(slot); slot = nextCall(batch)) {
    const pending = admit(batch, slot);
    if (pending !== undefined) await pending;
    if (isReady(slot) && !isReader(slot)) return giveBack(batch);
  }
}

/**
 * The readers that came while others run, as far as nobody must be waited for: the gate is held, and an open question
 * must not hold it any longer.
 */
function admitAtOnce(batch: Batch): readonly Slot[] {
  const known = batch.members.length;
  for (let slot = nextCall(batch); slot !== undefined && isReader(slot); slot = nextCall(batch)) {
    batch.preparing = admit(batch, slot) ?? undefined;
    if (batch.preparing !== undefined || (isReady(slot) && !isReader(slot))) {
      giveBack(batch);
      break;
    }
  }
  return batch.members.slice(known).filter(isReady);
}

function giveBack({ members, queue }: Batch): void {
  members.pop();
  queue.putBack();
}

async function insideGate(batch: Batch, mode: GateMode, run: () => void | Promise<unknown>): Promise<void> {
  const { engine, turn, members, lingering } = batch;
  const ticket = engine.gate.enter(mode);
  let release;
  try {
    release = await bounded(ticket.granted, turn);
  } catch (error) {
    ticket.withdraw();
    for (const slot of members) if (isReady(slot)) refuse(engine, slot, error);
    return;
  }
  try {
    await run();
  } finally {
    if (lingering.length === 0) release();
    else void Promise.all(lingering).then(release, release);
  }
}

/** Runs calls side by side; answers at once where none of them must be waited for. */
function runAll(batch: Batch, slots: readonly Slot[]): void | Promise<unknown> {
  const pending: Promise<void>[] = [];
  for (const slot of slots) {
    const running = runCall(batch, slot);
    if (running !== undefined) pending.push(running);
  }
  if (pending.length > 0) return Promise.all(pending);
}

async function runReaders(batch: Batch, slots: readonly Slot[]): Promise<void> {
  const { queue } = batch;
  let running = runAll(batch, slots);
  while (!queue.isClosed && nextCall(batch) === undefined) {
    const over = Promise.resolve(running).then(() => false);
    if (!(await Promise.race([over, queue.changed().then(() => true)]))) return;
    running = Promise.all([running, runAll(batch, admitAtOnce(batch))]);
  }
  await running;
}

/** Runs one call as soon as the cap allows. Never rejects. */
function runCall(batch: Batch, slot: Slot): void | Promise<void> {
  const { engine, turn } = batch;
  const { limiter } = engine;
  const place = limiter.acquire();
  if (place === undefined) return runInPlace(batch, slot);
  return bounded(place, turn).then(
    () => runInPlace(batch, slot),
    (error: unknown) => {
      void place.then(limiter.release);
      refuse(engine, slot, error);
    },
  );
}

function runInPlace(batch: Batch, slot: Slot): void | Promise<void> {
  const { engine, turn } = batch;
  const fail = (error: unknown): void => {
    if (slot.stage === "ready") refuse(engine, slot, error);
    else slot.outcome = ourFault(error, "unknown");
  };
  let pending: Promise<void> | undefined;
  try {
    const entry = mayRun(batch, slot);
    slot.stage = "executed";
    batch.executed += 1;
    const execution = execute(engine, turn, slot, entry);
    if (execution instanceof Promise) pending = execution.then((late) => settle(batch, slot, entry, late));
    else settle(batch, slot, entry, execution);
  } catch (error) {
    fail(error);
  }
  if (pending === undefined) return engine.limiter.release();
  return pending.catch(fail).then(engine.limiter.release);
}

/** The tool of a call that may run now; throws whatever keeps it from running. */
function mayRun({ engine, turn, failed }: Batch, slot: Slot): ToolEntry {
  const { entry, toolName } = slot;
  const cause = turn.stopped ?? failed;
  if (cause !== undefined) throw new Stopped(cause);
  if (entry === undefined || slot.permitted !== slot.input) {
    throw new Error("it came as far as its execution without permission");
  }
  const earlier = isReader(slot) ? undefined : engine.gate.abandonedCall();
  if (earlier === undefined) return entry;
  const message =
    `${toolName} was not run: the earlier call "${earlier}" outlived its time and may still be changing things. ` +
    "Wait, or use tools that only read.";
  throw new Refusal("execute", "earlier-call-still-running", message);
}

/** Takes what an execution came to. A failure that concerns its siblings stops them, through the batch and no wider. */
function settle(batch: Batch, slot: Slot, { tool }: ToolEntry, { outcome, isFailure, lingering }: Execution): void {
  slot.outcome = outcome;
  if (lingering !== undefined) batch.lingering.push(lingering);
  if (!isFailure || !tool.metadata.behavior.abortsSiblingsOnError || batch.failed !== undefined) return;
  batch.failed = { code: "sibling-failed", message: `${slot.toolName} failed, which stops the calls beside it.` };
  batch.turn.stopRunning(batch.failed);
}

/** Answers a call that does not run. */
function refuse(engine: Engine, slot: Slot, error: unknown): void {
  const refusal = toRefusal(slot, error);
  slot.outcome = refused(refusal);
  if (refusal.phase !== "permission") return;
  const { code, message: reason } = refusal;
  engine.emit?.({
    type: "denied",
    ...idsOf(slot),
    inputDigest: inputDigest(engine, slot),
    code,
    reason,
    ...displayLine(slot, "rejected"),
  });
}

function toRefusal({ toolName }: Slot, error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof Stopped) {
    return new Refusal("execute", error.stop.code, `${toolName} was not run: ${error.stop.message}`);
  }
  return new Refusal("schema", "internal-error", `${toolName} was not run: ${messageOf(error)}`);
}

function isReader({ classification }: Slot): boolean {
  return classification.class === "READ_ONLY";
}

function isReady({ outcome }: Slot): boolean {
  return outcome === undefined;
}
