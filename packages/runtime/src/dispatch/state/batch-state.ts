import type { Resource } from "../../tool/resource-key.js";
import type { CallState } from "./call-state.js";
import type { Engine } from "./engine.js";
import type { TurnState } from "./turn-state.js";
import type { Gate, GateMode, GateTicket, Release } from "../scheduling/gate.js";

/** A hold of the gate by the readers of a batch, from the first to the last, or by one writer. */
class Hold {
  readonly #gate: Gate;
  readonly #resource: Resource | undefined;
  #members = 0;
  #ticket: GateTicket | undefined;
  #entering: Promise<void> | undefined;
  #release: Release | undefined;

  constructor(gate: Gate, resource?: Resource) {
    this.#gate = gate;
    this.#resource = resource;
  }

  /** Enters the gate; `undefined` if the batch holds it. A caller that enters must leave. */
  enter(mode: GateMode): Promise<void> | undefined {
    this.#members += 1;
    if (this.#release !== undefined) return undefined;
    if (this.#ticket === undefined) {
      this.#ticket = this.#gate.enter(mode, this.#resource);
      this.#release = this.#ticket.release;
      if (this.#release !== undefined) return undefined;
    }
    return (this.#entering ??= this.#wait(this.#ticket));
  }

  /** Enters the gate if that takes no waiting; otherwise returns `false` and holds nothing. */
  enterAtOnce(mode: GateMode): boolean {
    const entering = this.enter(mode);
    if (entering === undefined) return true;
    this.leave();
    return false;
  }

  /** Keeps the gate from being released between calls that enter and leave at once. The caller must leave. */
  keep(): void {
    this.#members += 1;
  }

  leave(): void {
    this.#members -= 1;
    if (this.#members > 0) return;
    if (this.#release === undefined) this.#ticket?.withdraw();
    else this.#release();
    this.#release = this.#ticket = this.#entering = undefined;
  }

  async #wait(ticket: GateTicket): Promise<void> {
    const release = await ticket.granted;
    // A ticket that was withdrawn meanwhile releases the gate itself.
    if (this.#ticket === ticket) this.#release = release;
  }
}

/** Lets members act in the order in which they joined: each waits until every earlier one has acted or passed. */
class Sequence {
  #joined = 0;
  #first = 0;
  #passed: Set<number> | undefined;
  #waiting: Map<number, () => void> | undefined;

  join(): number {
    return this.#joined++;
  }

  /** Returns `undefined` if all earlier members have passed, or else a promise that resolves when they have. */
  reached(member: number): Promise<void> | undefined {
    if (member <= this.#first) return undefined;
    return new Promise((resolve) => (this.#waiting ??= new Map()).set(member, resolve));
  }

  pass(member: number): void {
    if (member !== this.#first) {
      if (member > this.#first) (this.#passed ??= new Set()).add(member);
      return;
    }
    do this.#first += 1;
    while (this.#passed?.delete(this.#first) === true);
    this.#waiting?.get(this.#first)?.();
  }
}

/** The state of a batch: readers, or writers of different resources, together; any other call alone. */
export class BatchState {
  readonly engine: Engine;
  readonly turn: TurnState;
  readonly hold: Hold;
  /** The order in which calls may ask questions. */
  readonly questions: Sequence = new Sequence();
  /** True if no further call may join. */
  isClosed = false;
  #running = 0;
  #whenIdle: (() => void) | undefined;

  constructor(engine: Engine, turn: TurnState) {
    this.engine = engine;
    this.turn = turn;
    this.hold = new Hold(engine.gate);
  }

  /** Returns the hold under which a call runs: writers of different resources leave the gate one by one. */
  holdFor({ resource }: CallState): Hold {
    return resource === undefined ? this.hold : new Hold(this.engine.gate, resource);
  }

  /** Returns a hold of its own for a call whose input was changed, after the others began. No further call joins them. */
  holdAlone({ resource }: CallState): Hold {
    this.isClosed = true;
    return new Hold(this.engine.gate, resource);
  }

  /** Records that a call continues on its own. Returns its number in the order of questions. */
  begin(): number {
    this.#running += 1;
    return this.questions.join();
  }

  end(member: number): void {
    this.questions.pass(member);
    this.#running -= 1;
    if (this.#running === 0) this.#whenIdle?.();
  }

  /** Waits for an event while calls run. Returns `false` if all of them end first. */
  async lastsUntil(event: Promise<void>): Promise<boolean> {
    if (this.#running === 0) return false;
    const idle = new Promise<void>((resolve) => (this.#whenIdle = resolve));
    return Promise.race([event.then(() => true), idle.then(() => false)]);
  }
}
