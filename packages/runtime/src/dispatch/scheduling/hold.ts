import type { Gate, GateMode, GateTicket, Release } from "./gate.js";

/** How a batch holds the gate: from the first of its calls that runs to the last, and not while none does. */
export class Hold {
  readonly #gate: Gate;
  #members = 0;
  #ticket: GateTicket | undefined;
  #entering: Promise<void> | undefined;
  #release: Release | undefined;

  constructor(gate: Gate) {
    this.#gate = gate;
  }

  /** Enters the gate. `undefined`: others of the batch hold it. A caller that enters must leave, even if it does not wait. */
  enter(mode: GateMode): Promise<void> | undefined {
    this.#members += 1;
    if (this.#release !== undefined) return undefined;
    if (this.#ticket === undefined) {
      this.#ticket = this.#gate.enter(mode);
      this.#release = this.#ticket.release;
      if (this.#release !== undefined) return undefined;
    }
    return (this.#entering ??= this.#wait(this.#ticket));
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
