import type { StopCause } from "./stop.js";
import type { Toolset } from "./toolset.js";

/** Something that runs and can be told to stop. */
export interface Running {
  readonly isCancellable: boolean;
  stop(cause: StopCause): void;
}

/** What is known of a turn while it lasts. */
export interface TurnState {
  readonly context: unknown;
  /** The session's signal, for checks that want to stop early. */
  readonly signal: AbortSignal;
  /** The tools of this turn; set once, before the first call is parsed. */
  toolset: Toolset;
  /** Set once: calls that have not started are answered with it. */
  stopped: StopCause | undefined;
  readonly onStop: Set<(cause: StopCause) => void>;
  readonly running: Set<Running>;
}

/** Stops a turn: whatever waits is woken and nothing more starts. `spare` lets running calls finish that ask for it. */
export function stopTurn(turn: TurnState, cause: StopCause, spare: "none" | "blocking"): void {
  turn.stopped ??= cause;
  for (const wake of turn.onStop) wake(cause);
  for (const call of turn.running) if (spare === "none" || call.isCancellable) call.stop(cause);
}
