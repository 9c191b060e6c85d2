/** Lets members act in the order in which they joined: each waits until all before it have acted, or need not. */
export class Line {
  #joined = 0;
  #first = 0;
  #passed: Set<number> | undefined;
  #waiting: Map<number, () => void> | undefined;

  /** The number of a new member, behind all others. */
  join(): number {
    return this.#joined++;
  }

  /** `undefined`: all before it have passed. Otherwise resolves when they have. */
  reached(member: number): Promise<void> | undefined {
    if (member <= this.#first) return undefined;
    return new Promise((resolve) => (this.#waiting ??= new Map()).set(member, resolve));
  }

  /** Lets those behind a member go first; calling it again does nothing. */
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
