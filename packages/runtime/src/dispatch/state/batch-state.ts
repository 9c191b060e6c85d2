import { Hold } from "../scheduling/hold.js";
import { Line } from "../scheduling/line.js";
import type { Engine } from "./engine.js";
import type { TurnState } from "./turn-state.js";

/** The state of a batch: calls that run as one group, readers together, any other call alone. */
export class BatchState {
  readonly engine: Engine;
  readonly turn: TurnState;
  readonly hold: Hold;
  /** The calls that may have to be asked about, in their order. */
  readonly questions: Line = new Line();
  #running = 0;
  #whenIdle: (() => void) | undefined;

  constructor(engine: Engine, turn: TurnState) {
    this.engine = engine;
    this.turn = turn;
    this.hold = new Hold(engine.gate);
  }

  /** Records that a call continues by itself. Returns its number in the line for questions. */
  begin(): number {
    this.#running += 1;
    return this.questions.join();
  }

  /** Records that such a call was answered. */
  end(member: number): void {
    this.questions.pass(member);
    this.#running -= 1;
    if (this.#running === 0) this.#whenIdle?.();
  }

  /** Waits for an event while calls run. Answers `false` if all of them end first. */
  async lastsUntil(event: Promise<void>): Promise<boolean> {
    if (this.#running === 0) return false;
    const idle = new Promise<void>((resolve) => (this.#whenIdle = resolve));
    return Promise.race([event.then(() => true), idle.then(() => false)]);
  }
}
