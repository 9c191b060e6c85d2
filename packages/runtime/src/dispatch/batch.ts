import { messageOf } from "../results/text.js";
import { finishBatch } from "./pipeline/finish.js";
import { runHooks } from "./pipeline/hooks.js";
import { judge } from "./pipeline/judge.js";
import { findTool, parseCall } from "./pipeline/parse.js";
import { refuse, runCall } from "./run-call.js";
import type { CallQueue } from "./scheduling/call-queue.js";
import { Stopped, withTimeout } from "./scheduling/with-timeout.js";
import { BatchState } from "./state/batch-state.js";
import { forgetJudgement, type CallState } from "./state/call-state.js";
import type { Engine } from "./state/engine.js";
import type { TurnState } from "./state/turn-state.js";

/** Runs the next batch: checks of all its calls at once, then hooks in call order; each call continues on its own. */
export async function runBatch(
  engine: Engine,
  turn: TurnState,
  queue: CallQueue<CallState>,
): Promise<readonly CallState[]> {
  const batch = new BatchState(engine, turn);
  const hasHooks = engine.transforms.length + engine.guards.length > 0;
  const members: CallState[] = [];
  const running: Promise<void>[] = [];
  let isGroup: boolean;
  do {
    const first = members.length;
    isGroup = takeCalls(engine, turn, queue, members);
    // Hooks run outside the gate.
    if (!hasHooks) batch.hold.keep();
    for (let index = first; index < members.length; index += 1) {
      const call = members[index] as CallState;
      const wasReader = isReader(call);
      const isNew = call.stage === "judged" && call.stored?.earlier === undefined;
      if (hasHooks && isNew && call.outcome === undefined) await prepare(engine, turn, call);
      if (wasReader && !isReader(call) && call.outcome === undefined) {
        // A hook turned the reader into a call that runs alone. The calls behind it are judged again after it.
        isGroup = false;
        giveBack(queue, members, Math.max(index, 1));
        if (index > 0) break;
      }
      if (call.outcome !== undefined) continue;
      const pending = runCall(batch, call, batch.begin());
      if (pending !== undefined) running.push(pending);
    }
    if (!hasHooks) batch.hold.leave();
  } while (isGroup && !queue.isOver && (await hasNextReader(batch, queue)));
  if (running.length > 0) await Promise.all(running);
  turn.endBatch();
  await finishBatch(engine, turn, members);
  return members;
}

function takeCalls(engine: Engine, turn: TurnState, queue: CallQueue<CallState>, members: CallState[]): boolean {
  for (let call = nextCall(engine, turn, queue); call !== undefined; call = nextCall(engine, turn, queue)) {
    const isAlone = !isReader(call);
    if (isAlone && members.length > 0) return true;
    queue.take();
    members.push(call);
    if (call.stage === "parsed" && call.outcome === undefined) beginToJudge(engine, turn, call);
    if (isAlone) return false;
  }
  return true;
}

/** Parses the next call. One that cannot be parsed is not a reader. */
function nextCall(engine: Engine, turn: TurnState, queue: CallQueue<CallState>): CallState | undefined {
  const call = queue.peek();
  if (call?.stage === "pushed") {
    if (call.loadFailure === undefined && beginToLoad(engine, turn, call)) return queue.peek();
    call.stage = "parsed";
    try {
      parseCall(engine, turn.tools, call);
    } catch (error) {
      refuse(engine, call, error);
    }
  }
  return call;
}

/** Starts loading a lazy handler. Returns true if it did. */
function beginToLoad(engine: Engine, turn: TurnState, call: CallState): boolean {
  if (!turn.tools.hasLazyTools) return false;
  let pending: Promise<void> | undefined;
  try {
    pending = findTool(engine, turn.tools, call)?.tool.load?.();
  } catch (error) {
    call.loadFailure = messageOf(error);
  }
  if (pending === undefined) return false;
  const loading = withTimeout(pending, { turn, milliseconds: engine.hookTimeoutMs })
    .catch((error: unknown) => {
      call.loadFailure = messageOf(error);
    })
    .then(() => {
      call.loading = undefined;
    });
  call.loading = loading;
  return true;
}

function beginToJudge(engine: Engine, turn: TurnState, call: CallState): void {
  call.stage = "judged";
  const { entry } = call;
  try {
    if (turn.stopped !== undefined) throw new Stopped(turn.stopped);
    if (entry === undefined) throw new Error("a parsed call has no tool");
    const pending = judge({ engine, turn, call, entry });
    if (pending === undefined) return;
    const judging = pending.catch((error: unknown) => {
      // Ignore the error if the call went back to the queue: it will be judged again.
      if (call.judging === judging) call.thrown = { error };
    });
    call.judging = judging;
  } catch (error) {
    call.thrown = { error };
  }
}

async function prepare(engine: Engine, turn: TurnState, call: CallState): Promise<void> {
  const { entry, judging } = call;
  try {
    if (judging !== undefined) await judging;
    if (call.thrown !== undefined) throw call.thrown.error;
    if (turn.stopped !== undefined) throw new Stopped(turn.stopped);
    if (entry !== undefined) await runHooks({ engine, turn, call, entry });
    call.stage = "ready";
  } catch (error) {
    refuse(engine, call, error);
  }
}

function giveBack(queue: CallQueue<CallState>, members: CallState[], from: number): void {
  const returned = members.splice(from);
  queue.putBack(returned.length);
  for (const call of returned) if (call.stage === "judged") forgetJudgement(call);
}

async function hasNextReader(batch: BatchState, queue: CallQueue<CallState>): Promise<boolean> {
  const { engine, turn } = batch;
  for (;;) {
    const next = nextCall(engine, turn, queue);
    if (next !== undefined) return isReader(next);
    if (queue.isOver || !(await batch.lastsUntil(queue.changed()))) return false;
  }
}

function isReader({ classification }: CallState): boolean {
  return classification.class === "READ_ONLY";
}
