import { createInternalFailure } from "../results/outcome.js";
import { guard } from "../tool/callback.js";
import { isDifferentResource, isSameResource, type Resource } from "../tool/resource-key.js";
import type { ToolResult } from "../tool/definition.js";
import { refusal } from "../results/call-errors.js";
import { finishBatch, finishTurn } from "./pipeline/finish.js";
import { runHooks } from "./pipeline/hooks.js";
import { Stopped, withTimeout } from "./scheduling/with-timeout.js";
import { CallState, forgetJudgement, isReader } from "./state/call-state.js";
import type { TurnOptions } from "./state/dispatcher-types.js";
import type { Engine, ToolEntry, ToolSnapshot } from "./state/engine.js";
import { type RunningTurn, type TurnPlace, TurnState } from "./state/turn-state.js";
import { messageOf } from "../results/text.js";
import { judge } from "./pipeline/judge.js";
import { findTool, parseCall } from "./pipeline/parse.js";
import { refuse, runCall } from "./run-call.js";
import { BatchState } from "./state/batch-state.js";

interface TurnBeginning extends TurnPlace {
  /** The tools that replace `tools` once they are assembled. */
  readonly renewed?: Promise<ToolSnapshot> | undefined;
  /** Called when all calls are settled, before the turn answers. Never throws. */
  readonly onEnd?: () => Promise<void> | undefined;
}

/** Starts a turn: splits its calls into batches and runs these in order. */
export function runTurn(
  engine: Engine,
  options: TurnOptions & { readonly turnId?: string | undefined },
  beginning: TurnBeginning,
): RunningTurn {
  const { tools, renewed, onEnd } = beginning;
  const onResult = guard(options.onResult);
  const queue = new CallQueue();
  const callIds = new Set<string>();
  const state = new TurnState(options, beginning);
  const finished: CallState[] = [];
  const storing: Promise<unknown>[] = [];
  const unfollow = state.follow(options.signal);
  state.part = engine.extensions.turn(state, beginning.outer?.part, beginning.own);

  async function run(): Promise<readonly ToolResult[]> {
    try {
      await runBatches();
      if (storing.length > 0) await Promise.all(storing);
      return await finishTurn(engine, state, finished);
    } finally {
      const ending = onEnd?.();
      if (ending !== undefined) await withTimeout(ending, { turn: state }).catch(() => undefined);
      if (state.outermost === state) engine.permissions.endTurn(state);
      state.part?.pass("end");
      unfollow();
    }
  }

  async function runBatches(): Promise<void> {
    try {
      if (renewed !== undefined) state.tools = await withTimeout(renewed, { turn: state }).catch(() => tools);
      const preparing = state.part?.ready();
      if (preparing !== undefined) await preparing;
      for (;;) {
        if (queue.peek() !== undefined) {
          const batch = await runBatch(engine, state, queue, storing);
          // A later batch waits for the answers to the questions of this one.
          if (finish(batch) < batch.length) break;
        } else if (queue.isOver) break;
        else await queue.changed();
      }
    } catch (error) {
      await answerTheRest(error);
    }
  }

  /** Answers the remaining calls after a fault of our own. */
  async function answerTheRest(error: unknown): Promise<void> {
    queue.close();
    const rest = queue.calls.slice(finished.length);
    for (const call of rest) call.outcome ??= createInternalFailure(error, call.attempts === 0 ? "none" : "unknown");
    await endBatch(state, rest);
    await finishBatch({ ...engine, hooks: { ...engine.hooks, post: [] } }, state, rest, storing);
    finish(rest);
  }

  /** Returns the number of calls that are answered; the others wait for an answer to their questions. */
  function finish(batch: readonly CallState[]): number {
    const earlier = finished.length;
    for (const call of batch) {
      if (call.result === undefined) continue;
      finished.push(call);
      onResult?.(call.result);
    }
    return finished.length - earlier;
  }

  const results = Promise.resolve().then(run);
  return {
    state,
    ended: results,
    push(call) {
      if (queue.isClosed) throw new Error("The turn has ended; open a new one for further calls.");
      const pushed = new CallState(call, state);
      const known = callIds.size;
      callIds.add(pushed.callId);
      pushed.part = state.part?.call(pushed);
      if (pushed.part !== undefined) engine.extensions.keeping?.takeOver(pushed, pushed.part, state.part?.keeper);
      // A call without an id is malformed, not a duplicate.
      const isDuplicate = pushed.callId !== "" && callIds.size === known && pushed.outcome === undefined;
      if (isDuplicate) {
        pushed.stage = "parsed";
        refuse(engine, pushed, refusal("lookup/duplicate-call-id", { id: pushed.callId }));
      }
      queue.push(pushed);
    },
    abort: (message) => state.stop({ code: "aborted", message }, "blocking"),
    end() {
      queue.close();
      return results;
    },
  };
}

/** The calls of a turn in order. A class: an object literal with a getter costs each turn a hidden class. */
class CallQueue {
  readonly calls: CallState[] = [];
  #isClosed = false;
  #next = 0;
  #waiting: (() => void)[] = [];

  push(call: CallState): void {
    this.calls.push(call);
    this.#wake();
  }

  close(): void {
    this.#isClosed = true;
    this.#wake();
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  get isOver(): boolean {
    return this.#isClosed && this.#next >= this.calls.length;
  }

  /** Returns the next call if it has arrived and its tool is loaded. */
  peek(): CallState | undefined {
    const call = this.calls[this.#next];
    if (call?.load === undefined || !("pending" in call.load)) return call;
    void call.load.pending.then(() => this.#wake());
    return undefined;
  }

  take(): void {
    this.#next += 1;
  }

  putBack(count: number): void {
    this.#next -= count;
  }

  changed(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #wake(): void {
    if (this.#waiting.length === 0) return;
    for (const resume of this.#waiting) resume();
    this.#waiting = [];
  }
}

/** Runs the next batch: checks of all its calls at once, then hooks in call order; each call continues on its own. */
async function runBatch(
  engine: Engine,
  turn: TurnState,
  queue: CallQueue,
  storing: Promise<unknown>[],
): Promise<readonly CallState[]> {
  const batch = new BatchState(engine, turn);
  turn.part?.pass("beginBatch");
  const hasHooks = engine.hooks.transform.length + engine.hooks.guard.length > 0;
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
      const { resource } = call;
      const wasAlone = isAlone(call);
      const isNew = call.stage === "judged" && call.part?.earlier === undefined;
      if (hasHooks && isNew && call.outcome === undefined) await prepare(engine, turn, call);
      if (!wasAlone && !isAsBefore(call, resource) && call.outcome === undefined) {
        // A hook changed what the call excludes. The calls after it are judged again later.
        isGroup = false;
        giveBack(queue, members, Math.max(index, 1));
        if (index > 0) break;
      }
      if (call.outcome !== undefined) continue;
      const pending = runCall(batch, call, batch.begin());
      if (pending !== undefined) running.push(pending);
    }
    if (!hasHooks) batch.hold.leave();
  } while (isGroup && !queue.isOver && (await hasNextMember(batch, queue, members)));
  if (running.length > 0) await Promise.all(running);
  turn.endBatch();
  const ending = endBatch(turn, members);
  if (ending !== undefined) await ending;
  await finishBatch(engine, turn, members, storing);
  return members;
}

/** Ends the parts of extensions in a batch, before any of its results leaves. Never rejects. */
function endBatch({ part }: TurnState, members: readonly CallState[]): Promise<void> | undefined {
  if (part === undefined) return undefined;
  for (const call of members) call.part?.pass("ended");
  return part.endBatch();
}

function takeCalls(engine: Engine, turn: TurnState, queue: CallQueue, members: CallState[]): boolean {
  for (let call = nextCall(engine, turn, queue); call !== undefined; call = nextCall(engine, turn, queue)) {
    if (members.length > 0 && !joins(call, members)) return true;
    queue.take();
    members.push(call);
    if (call.stage === "parsed" && call.outcome === undefined) beginToJudge(engine, turn, call);
    if (isAlone(call)) return false;
  }
  return true;
}

/** Parses the next call. One that cannot be parsed is not a reader. */
function nextCall(engine: Engine, turn: TurnState, queue: CallQueue): CallState | undefined {
  const call = queue.peek();
  if (call?.stage === "pushed") {
    const mayLoad = turn.tools.hasLazyTools && call.load === undefined;
    if (mayLoad && beginToLoad(engine, turn, call)) return queue.peek();
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
  if (engine.extensions.isStandIn) return false;
  let pending: Promise<void> | undefined;
  try {
    pending = findTool(engine, turn.tools, call)?.tool.load?.();
  } catch (error) {
    call.load = { failure: messageOf(error) };
  }
  if (pending === undefined) return false;
  const loading = withTimeout(pending, { turn, milliseconds: engine.hookTimeoutMs }).then(
    () => void (call.load = undefined),
    (error: unknown) => void (call.load = { failure: messageOf(error) }),
  );
  call.load = { pending: loading };
  return true;
}

function beginToJudge(engine: Engine, turn: TurnState, call: CallState): void {
  call.stage = "judged";
  try {
    if (turn.stopped !== undefined) throw new Stopped(turn.stopped);
    const pending = judge({ engine, turn, call, entry: call.entry as ToolEntry });
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

function giveBack(queue: CallQueue, members: CallState[], from: number): void {
  const returned = members.splice(from);
  queue.putBack(returned.length);
  for (const call of returned) if (call.stage === "judged") forgetJudgement(call);
}

async function hasNextMember(batch: BatchState, queue: CallQueue, members: readonly CallState[]): Promise<boolean> {
  const { engine, turn } = batch;
  for (;;) {
    if (batch.isClosed) return false;
    const next = nextCall(engine, turn, queue);
    if (next !== undefined) return joins(next, members);
    if (queue.isOver || !(await batch.lastsUntil(queue.changed()))) return false;
  }
}

function isAlone(call: CallState): boolean {
  return !isReader(call) && call.resource === undefined;
}

/** True if a call may run beside all members of a group: readers, or writers of different resources. */
function joins(call: CallState, members: readonly CallState[]): boolean {
  const { resource } = call;
  return resource === undefined
    ? isReader(call) && isReader(members[0] as CallState)
    : members.every((member) => isDifferentResource(member.resource, resource));
}

/** True if a call that was a reader, or a writer of `resource`, still is. */
function isAsBefore(call: CallState, resource: Resource | undefined): boolean {
  return resource === undefined ? isReader(call) : isSameResource(resource, call.resource);
}
