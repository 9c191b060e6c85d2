import type { ToolCall, ToolResult } from "../tool/definition.js";
import type { CallSession, Dispatcher, Turn, TurnArguments } from "../dispatch/state/dispatcher-types.js";
import { readCallId } from "../dispatch/state/call-state.js";

export type RunCall<Context> = (call: ToolCall, options: CallSession<Context>) => Promise<ToolResult>;

interface OpenTurn {
  readonly turn: Turn;
  /** By call id, in call order: a second call with the same id is refused, and must be answered too. */
  readonly waiting: Map<string, ((result: ToolResult) => void)[]>;
  outstanding: number;
}

/**
 * Runs the calls of frameworks that start each call of a response by a function of its own, all at once. Calls that
 * overlap and belong together form one turn, which stays open while any of them runs: the dispatcher still schedules
 * them, and no call overtakes an earlier one that changes something.
 */
export function runOneByOne<Context>(dispatcher: Dispatcher<Context>): RunCall<Context> {
  const open: { readonly session: CallSession<Context>; readonly state: OpenTurn }[] = [];

  function turnOf(session: CallSession<Context>): OpenTurn {
    const known = open.find((entry) => isSameSession(entry.session, session));
    if (known !== undefined) return known.state;
    const waiting: OpenTurn["waiting"] = new Map();
    const { signal, context, onProgress, conversation } = session;
    // The context's type was checked when the framework's tools were created.
    const options = {
      signal,
      context,
      onProgress,
      conversation,
      onResult: (result: ToolResult) => answer(state, result),
    };
    const turn = dispatcher.openTurn(...([options] as unknown as TurnArguments<Context>));
    const state: OpenTurn = { turn, waiting, outstanding: 0 };
    open.push({ session, state });
    return state;
  }

  function answer(state: OpenTurn, result: ToolResult): void {
    const waiters = state.waiting.get(result.callId) ?? [];
    const resolve = waiters.shift();
    if (waiters.length === 0) state.waiting.delete(result.callId);
    if (resolve === undefined) return;
    state.outstanding -= 1;
    if (state.outstanding === 0) {
      open.splice(
        open.findIndex((entry) => entry.state === state),
        1,
      );
      // The end of the turn renews the tools; the calls of the next step get the new ones.
      void state.turn.end().then(() => resolve(result));
    } else resolve(result);
  }

  return (call, session) =>
    new Promise((resolve) => {
      const state = turnOf(session);
      const callId = readCallId(call);
      const waiters = state.waiting.get(callId);
      if (waiters === undefined) state.waiting.set(callId, [resolve]);
      else waiters.push(resolve);
      state.outstanding += 1;
      state.turn.push(call);
    });
}

function isSameSession<Context>(one: CallSession<Context>, other: CallSession<Context>): boolean {
  return (
    one.step === other.step &&
    one.signal === other.signal &&
    one.context === other.context &&
    one.conversation === other.conversation &&
    one.onProgress === other.onProgress
  );
}
