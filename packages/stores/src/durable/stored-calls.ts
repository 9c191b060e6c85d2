import type { CallRecord, Question, TurnRecord } from "@hasp/runtime/call-store";
import type { ToolCall, ProgramPast, SettledProgramCall } from "@hasp/runtime";
import type { BeginNested, StoredProgram } from "@hasp/runtime/internal/durable";
import type { StoredTurn } from "./stored-turn.js";
import { createTurnRecord, createNestedTurnId } from "./turn-record.js";

/** The calls of a program, each a stored turn of its own, with the results of earlier runs. */
export class StoredCalls implements StoredProgram {
  /** True if an earlier run has begun the program. */
  isRepeated = false;
  isSuspended = false;
  mayHaveWritten = false;
  readonly #turn: StoredTurn;
  readonly #callId: string;
  readonly #waiting: Map<TurnRecord, readonly Question[]> = new Map();
  readonly #settledCalls: CallRecord[] = [];
  #past: readonly TurnRecord[] = [];
  #settled = 0;

  constructor(turn: StoredTurn, callId: string) {
    this.#turn = turn;
    this.#callId = callId;
  }

  /** The open questions of a program that waits. */
  get questions(): readonly Question[] {
    return this.isSuspended ? [...this.#waiting.values()].flat() : [];
  }

  async load(): Promise<ProgramPast> {
    const past: TurnRecord[] = [];
    while (this.isRepeated) {
      const turn = await this.#turn.readNested(this.#turnIdOf(past.length + 1));
      if (turn === undefined) break;
      past.push(turn);
    }
    this.#past = past;
    const calls = past.flatMap((turn) => turn.calls);
    this.mayHaveWritten = calls.some(({ repeatable = "reads" }) => repeatable !== "reads");
    const order = calls.flatMap((call) => call.order ?? []).toSorted((a, b) => a - b);
    this.#settled = order.at(-1) ?? 0;
    return { calls: past.length, order };
  }

  isSame(n: number, call: ToolCall): boolean {
    const earlier = this.#past[n - 1];
    return earlier === undefined || earlier.callsDigest === this.#recordOf(n, call).callsDigest;
  }

  async run(n: number, call: ToolCall, begin: BeginNested): Promise<SettledProgramCall | undefined> {
    const made = this.#recordOf(n, call);
    try {
      const record = this.#past[n - 1] ?? (await this.#turn.openNested(made));
      if (record?.callsDigest !== made.callsDigest) {
        throw new Error(`The call store has another call as ${made.turnId}.`);
      }
      const settled = await this.#drive(record, begin);
      if (settled !== undefined) return settled;
    } catch (error) {
      this.#turn.fail(error);
      throw error;
    }
    return undefined;
  }

  suspend(): void {
    this.isSuspended = true;
  }

  async close(begin: BeginNested): Promise<void> {
    if (this.isSuspended || this.#turn.failure !== undefined) return;
    for (const record of this.#waiting.keys()) await this.#drive(record, begin).catch(() => undefined);
  }

  /** Removes the results of a settled program's calls, the first call's last. */
  async forget(): Promise<void> {
    if (this.#settledCalls.length === 0) await this.#findForgotten();
    const first = this.#turnIdOf(1);
    const isFirst = ({ turnId }: CallRecord): boolean => turnId === first;
    const calls = this.#settledCalls.splice(0);
    for (const some of [calls.filter((call) => !isFirst(call)), calls.filter(isFirst)]) {
      await Promise.all(some.map((call) => this.#turn.advance(call, call.state, { result: null })));
    }
  }

  /** Finds the results that a process left behind when it died after settling the program. */
  async #findForgotten(): Promise<void> {
    const first = await this.#turn.readNested(this.#turnIdOf(1));
    if (first?.calls[0]?.result === undefined) return;
    this.isRepeated = true;
    await this.load();
    this.#settledCalls.push(...this.#past.flatMap(({ calls }) => calls));
  }

  async #drive(record: TurnRecord, begin: BeginNested): Promise<SettledProgramCall | undefined> {
    let order = record.calls[0]?.order;
    const outcome = await this.#turn.settings.runNested({
      record,
      begin,
      questionTurnId: this.#turn.questionTurnId,
      nextOrder: () => (order = this.#settled += 1),
      onSettled: (call) => this.#settledCalls.push(call),
    });
    const [result] = outcome.results;
    if (outcome.status === "waiting") this.#waiting.set(record, outcome.questions);
    return result && { result, order: order ?? (this.#settled += 1) };
  }

  #recordOf(n: number, call: ToolCall): TurnRecord {
    const { principal, conversation } = this.#turn;
    return createTurnRecord(this.#turnIdOf(n), [call], principal, conversation);
  }

  #turnIdOf(n: number): string {
    return createNestedTurnId(this.#turn.turnId, `${this.#callId}.${n}`);
  }
}
