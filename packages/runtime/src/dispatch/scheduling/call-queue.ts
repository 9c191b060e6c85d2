import type { Slot } from "../slot.js";

/**
 * The calls of a turn in their order; more may come until it is closed. A class, since an object with a getter of its
 * own costs every turn a hidden class, and the garbage collector most of what the turn held.
 */
export class CallQueue {
  readonly slots: Slot[] = [];
  isClosed = false;
  #next = 0;
  #waiting: (() => void)[] = [];

  push(slot: Slot): void {
    this.slots.push(slot);
    this.#wake();
  }

  close(): void {
    this.isClosed = true;
    this.#wake();
  }

  /** The next call, if it has come. */
  peek(): Slot | undefined {
    return this.slots[this.#next];
  }

  take(): void {
    this.#next += 1;
  }

  /** Gives back the call that was taken last. */
  putBack(): void {
    this.#next -= 1;
  }

  /** Resolves when a call is pushed or the queue is closed. */
  changed(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #wake(): void {
    if (this.#waiting.length === 0) return;
    for (const resume of this.#waiting) resume();
    this.#waiting = [];
  }
}
