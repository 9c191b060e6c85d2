/** Counts executions in a dispatcher, or inside one handler, so that a call can tell whether it ran alone. */
export class Activity {
  readonly #outer: Activity | undefined;
  #active = 0;
  #started = 0;

  /** `outer` is the activity around the handler, inside which this one runs. */
  constructor(outer?: Activity) {
    this.#outer = outer;
  }

  /** Records the start of an execution. Call the result at its end; it returns true if others overlapped. */
  start(): () => boolean {
    const wasAlone = this.#isAlone(0);
    this.#active += 1;
    this.#started += 1;
    const started = this.#starts();
    return () => {
      this.#active -= 1;
      return !wasAlone || this.#starts() !== started;
    };
  }

  /** True if only `own` executions run here, and only the enclosing handlers run outside. */
  #isAlone(own: number): boolean {
    return this.#active === own && (this.#outer === undefined || this.#outer.#isAlone(1));
  }

  #starts(): number {
    return this.#outer === undefined ? this.#started : this.#started + this.#outer.#starts();
  }
}
