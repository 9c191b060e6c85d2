/** The calls of a turn in order. A class: an object literal with a getter costs each turn a hidden class. */
export class CallQueue<Call extends { readonly loading: Promise<void> | undefined }> {
  readonly calls: Call[] = [];
  #isClosed = false;
  #next = 0;
  #waiting: (() => void)[] = [];

  push(call: Call): void {
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
  peek(): Call | undefined {
    const call = this.calls[this.#next];
    if (call?.loading === undefined) return call;
    void call.loading.then(() => this.#wake());
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
