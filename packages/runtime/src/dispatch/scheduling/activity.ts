/** What is being executed in a dispatcher, or inside one handler, so that a call can tell whether it was alone. */
export class Activity {
  readonly #outer: Activity | undefined;
  #active = 0;
  #started = 0;

  /** Inside a handler, `outer` is where that handler runs. */
  constructor(outer?: Activity) {
    this.#outer = outer;
  }

  /** Records that an execution starts. The function it returns records its end, and says whether others overlapped. */
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

  /** Whether nothing runs here but `own` executions, nor around it but the handlers that this is inside. */
  #isAlone(own: number): boolean {
    return this.#active === own && (this.#outer === undefined || this.#outer.#isAlone(1));
  }

  #starts(): number {
    return this.#outer === undefined ? this.#started : this.#started + this.#outer.#starts();
  }
}
