import type { Slot } from "./slot.js";

/** The calls of a turn in their order; more may come until it is closed. */
export interface CallQueue {
  readonly slots: readonly Slot[];
  readonly isClosed: boolean;
  push(slot: Slot): void;
  close(): void;
  /** The next call, if it has come. */
  peek(): Slot | undefined;
  take(): Slot | undefined;
  /** Gives back the call that was taken last. */
  putBack(): void;
  /** Resolves when a call is pushed or the queue is closed. */
  changed(): Promise<void>;
}

/** Makes an empty queue. */
export function createCallQueue(): CallQueue {
  const slots: Slot[] = [];
  let next = 0;
  let isClosed = false;
  let waiting: (() => void)[] = [];

  function wake(): void {
    for (const resume of waiting) resume();
    waiting = [];
  }

  return {
    slots,
    get isClosed() {
      return isClosed;
    },
    push(slot) {
      slots.push(slot);
      wake();
    },
    close() {
      isClosed = true;
      wake();
    },
    peek: () => slots[next],
    take: () => slots[next++],
    putBack() {
      next -= 1;
    },
    changed: () => new Promise((resolve) => waiting.push(resolve)),
  };
}
