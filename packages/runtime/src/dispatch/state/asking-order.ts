/**
 * The log of a program's calls, in the order in which the program asks, however fast each tool is. The entry of a call
 * waits for those of earlier calls; its result does not.
 */
export class AskingOrder {
  /** The calls that are not written yet, in the order of asking. */
  readonly #calls = new Map<string, { isOver: boolean; write?: () => void }>();

  /** Adds a call when the program asks for it. */
  add(callId: string): void {
    this.#calls.set(callId, { isOver: false });
  }

  /** Keeps the function that writes a call. It must not throw. */
  hold(callId: string, write: () => void): void {
    const call = this.#calls.get(callId);
    if (call === undefined) write();
    else call.write = write;
  }

  /** Ends a call, which may write nothing, and writes whatever waited for it alone. */
  end(callId: string): void {
    const ended = this.#calls.get(callId);
    if (ended !== undefined) ended.isOver = true;
    for (const [id, { isOver, write }] of this.#calls) {
      if (!isOver) return;
      this.#calls.delete(id);
      write?.();
    }
  }

  /** Ends all calls, once none of them runs. */
  endAll(): void {
    for (const callId of this.#calls.keys()) this.end(callId);
  }
}
